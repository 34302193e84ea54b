import Domain
@testable import HTTPServer
import JSON

/// The results of hoga for inputs that another implementation reads, too:
/// `scripts/fuzz/comparisons.py` compares both.
public enum SecondOpinion: String, Sendable, CaseIterable {
    /// A decimal number, or two with an operator and a rounding in between; against Python.
    case decimals
    /// A JSON text; against Python.
    case json

    /// One line about an input.
    public func line(about bytes: [UInt8]) -> String {
        switch self {
        case .decimals: Self.decimal(String(decoding: bytes, as: UTF8.self))
        case .json: Self.json(bytes)
        }
    }

    private static func json(_ bytes: [UInt8]) -> String {
        do throws(JSONError) {
            let value = try JSONValue(parsing: bytes, depthMax: 64)
            return "ok " + String(decoding: value.bytes, as: UTF8.self)
        } catch {
            return switch error.reason {
            case .syntax: "refused syntax"
            case .encoding: "refused encoding"
            case .duplicateName: "refused repeated"
            case .tooDeep: "refused deep"
            }
        }
    }

    private static func decimal(_ text: String) -> String {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        do throws(FixedDecimalError) {
            guard words.count == 4, let rounding = roundings[words[3]] else {
                return "ok \(try FixedDecimal(parsing: text))"
            }
            let (left, right) = (
                try FixedDecimal(parsing: words[0]), try FixedDecimal(parsing: words[2])
            )
            let result =
                switch words[1] {
                case "+": try left + right
                case "-": try left - right
                case "*": try left.multiplied(by: right, rounding: rounding)
                default: try left.divided(by: right, rounding: rounding)
                }
            return "ok \(result)"
        } catch {
            return switch error {
            case .notANumber: "refused"
            case .overflow: "overflow"
            case .divisionByZero: "zero"
            }
        }
    }

    private static let roundings: [String: DecimalRounding] = [
        "ROUND_HALF_EVEN": .halfEven, "ROUND_HALF_UP": .halfAwayFromZero,
        "ROUND_DOWN": .truncate, "ROUND_UP": .awayFromZero,
    ]

    /// Runs a server that answers each request with what it read, for a comparison with nginx:
    /// method, decoded path and parameters in one field, in hexadecimal.
    ///
    /// - Parameter body: called with its port; the server stops when it returns.
    /// - Throws: what keeps the server from listening.
    public static func serve(_ body: (_ port: UInt16) -> Void) throws {
        let server = try HTTPServer(.fuzzer) { request in
            let parameters = request.query.flatMap { [$0.name, $0.value] }
            let method = request.isHead ? "HEAD" : request.method
            let words = [method, request.path] + parameters
            let value = words.map(hexadecimal).joined(separator: " ")
            return .response(
                HTTPServerResponse(status: 204, headers: [("X-Request", value)], body: [])
            )
        }
        body(server.port)
        server.stop()
    }

    /// Two digits for each byte; `-` for none.
    private static func hexadecimal(_ text: String) -> String {
        let digits = text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return digits.isEmpty ? "-" : digits.joined()
    }
}
