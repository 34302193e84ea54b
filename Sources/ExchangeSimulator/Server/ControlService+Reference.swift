import Domain
import HTTPServer

extension ControlService {
    /// How long a warning lasts if the request does not say: until it is ended, for a test.
    private static let defaultAlertSeconds = 86_400
    private static let alertSeconds = 0...2_592_000
    /// The longest word that becomes a type or step.
    private static let wordBytesMax = 64

    /// Changes deposits and withdrawals of a coin or the warnings of a market.
    ///
    /// - Returns: what was wrong; nil if it is done.
    func changeReference(_ request: HTTPServerRequest) -> HTTPServerResponse? {
        let change: ReferenceChange?
        let remedy: String
        switch request.path {
        case "/simulator/asset":
            change = assetChange(request)
            remedy = "name a coin and a half: coin=XRP&deposit=false&withdrawal=true"
        case "/simulator/warning":
            change = warningChange(request)
            remedy = "name a market: market=XRP_KRW&on=true"
        default:
            change = alertChange(request)
            remedy =
                "name a market: market=XRP_KRW&type=\(SimulatedReference.alertTypes[0])&step="
                + "\(SimulatedReference.alertSteps.joined(separator: "|"))&seconds=3600, or on=false"
        }
        guard let change else { return problem(400, remedy) }
        do throws(SimulatorControlError) {
            try simulator.apply(change)
            return nil
        } catch {
            return problem(status(of: error), error.description)
        }
    }

    private func assetChange(_ request: HTTPServerRequest) -> ReferenceChange? {
        guard let asset = request.parameter("coin").flatMap({ Asset(anySpelling: $0) }),
            let deposit = flag(request, "deposit"), let withdrawal = flag(request, "withdrawal"),
            deposit != nil || withdrawal != nil
        else { return nil }
        return .asset(asset, deposit: deposit, withdrawal: withdrawal)
    }

    private func warningChange(_ request: HTTPServerRequest) -> ReferenceChange? {
        guard let id = market(request, "market"), let isOn = flag(request, "on") else {
            return nil
        }
        return .warning(id, isOn: isOn ?? true)
    }

    private func alertChange(_ request: HTTPServerRequest) -> ReferenceChange? {
        guard let id = market(request, "market"), let isOn = flag(request, "on") else {
            return nil
        }
        if isOn == false { return .noAlerts(id) }
        let seconds = request.parameter("seconds").map(Int.init) ?? Self.defaultAlertSeconds
        guard let seconds, Self.alertSeconds.contains(seconds),
            let type = word(request, "type", usual: SimulatedReference.alertTypes[0]),
            let step = word(request, "step", usual: SimulatedReference.alertSteps[0])
        else { return nil }
        return .alert(id, type: type, step: step, lasting: .seconds(seconds))
    }

    /// Reads a flag; the outer nil is for text that is none, the inner one for no text.
    private func flag(_ request: HTTPServerRequest, _ name: String) -> Bool?? {
        switch request.parameter(name) {
        case nil: .some(nil)
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }

    /// Reads a word of capital letters and underscores, such as the exchange writes.
    private func word(_ request: HTTPServerRequest, _ name: String, usual: String) -> String? {
        guard let text = request.parameter(name) else { return usual }
        let isWord =
            (1...Self.wordBytesMax).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                    || byte == UInt8(ascii: "_")
            }
        return isWord ? text : nil
    }
}
