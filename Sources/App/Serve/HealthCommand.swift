import DataSourceContracts
import DataSourcesHTTP

/// `hoga health`: asks the admin listener of a running service, as container engines want it.
struct HealthCommand: Sendable {
    /// Less than what engines allow a check, so that it ends with a reason.
    static let timeout: Duration = .seconds(3)
    /// The longest answer that is read, in bytes.
    static let answerBytesMax = 64 << 10

    let program: Program
    /// Whether the service must be ready, and not only alive.
    let mustBeReady: Bool

    /// Prints what the service answers.
    ///
    /// - Throws: ``ProgramError`` `unavailable` when it does not answer, or not with 200.
    func run() async throws(ProgramError) {
        let transport: CurlHTTPTransport
        let answer: Result<HTTPResponse, TransportError>
        do throws(TransportError) {
            transport = try CurlHTTPTransport(
                userAgent: Markets.userAgent,
                authorityFile: nil,
                proxy: .none
            )
        } catch {
            throw ProgramError(.unavailable, "\(error)")
        }
        let request = HTTPRequest(
            url: url,
            timeout: Self.timeout,
            bodyBytesMax: Self.answerBytesMax
        )
        answer = await Lifecycle.run(services: [{ @Sendable in await transport.run() }]) {
            do throws(TransportError) {
                return .success(try await transport.send(request))
            } catch {
                return .failure(error)
            }
        }
        switch answer {
        case .success(let response) where response.status == 200:
            try Console.write(response.body + [UInt8(ascii: "\n")])
        case .success(let response):
            throw ProgramError(
                .unavailable,
                "\(url) answers \(response.status): the service is not ready"
            )
        case .failure(let error):
            throw ProgramError(.unavailable, "\(url) does not answer: \(error.detail)")
        }
    }

    /// A service that listens everywhere listens here too.
    private var url: String {
        let address = program.configuration.adminListen
        let host =
            switch address.host {
            case "0.0.0.0": "127.0.0.1"
            case "::": "[::1]"
            case let host where host.contains(":"): "[\(host)]"
            case let host: host
            }
        return "http://\(host):\(address.port)" + (mustBeReady ? "/readyz" : "/healthz")
    }
}
