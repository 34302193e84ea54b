public import DataSourceContracts
import FoundationEssentials
import Synchronization

/// Sends requests to a hoga server.
public struct RemoteClient: Sendable {
    /// The maximum size of an event or answer, in bytes; the longest list has half a megabyte.
    private static let answerBytesMax = 16 << 20
    /// The time limit of a request.
    private static let answerTimeout: Duration = .seconds(10)

    /// The address, without a trailing slash.
    public let url: String
    /// The text of the access token; nil if none was given.
    public let token: String?
    /// The transport of event streams.
    let streams: any EventStreamTransport
    /// The server's clock, learned from its answers.
    public let clock: ServerClock
    private let requests: any HTTPTransport

    /// Makes a client; it sends nothing by itself.
    ///
    /// - Parameters:
    ///   - url: the address, without a trailing slash.
    ///   - token: the text of the access token; nil for none.
    ///   - requests: the transport of requests.
    ///   - streams: the transport of event streams.
    ///   - now: the local wall clock, in microseconds since 1970 UTC.
    public init(
        url: String,
        token: String?,
        requests: any HTTPTransport,
        streams: any EventStreamTransport,
        now: @escaping @Sendable () -> Int64
    ) {
        self.url = url
        self.token = token
        self.requests = requests
        self.streams = streams
        clock = ServerClock(now: now)
    }

    /// Makes a request with the token, if there is one.
    ///
    /// - Parameters:
    ///   - target: path and parameters.
    ///   - method: the HTTP method.
    ///   - fields: header fields beside the common ones.
    ///   - body: JSON; empty for none.
    /// - Returns: the request.
    public func request(
        _ target: RemoteTarget,
        _ method: HTTPRequest.Method = .get,
        fields: [(String, String)] = [],
        body: String = ""
    ) -> HTTPRequest {
        var request = HTTPRequest(
            url: url + target.text,
            timeout: Self.answerTimeout,
            bodyBytesMax: Self.answerBytesMax
        )
        request.method = method
        request.body = body
        var all = fields
        if let token { all.append(("Authorization", "Bearer " + token)) }
        if !body.isEmpty { all.append(("Content-Type", "application/json")) }
        request.headers = all.compactMap { HTTPField($0.0, $0.1) }
        return request
    }

    /// Sends a request.
    ///
    /// - Returns: an answer of 200, 201, 204 or 304.
    /// - Throws: ``RemoteFailure`` for any other status, and for failures of the network.
    public func send(_ request: HTTPRequest) async throws(RemoteFailure) -> HTTPResponse {
        let response: HTTPResponse
        do throws(TransportError) {
            response = try await requests.send(request)
        } catch {
            throw RemoteFailure(error)
        }
        clock.receive(response.headers)
        switch response.status {
        case 200, 201, 204, 304: return response
        default:
            throw RemoteFailure(
                status: response.status,
                headers: response.headers,
                body: response.body
            )
        }
    }

    /// Decodes a document.
    ///
    /// - Parameters:
    ///   - type: the shape of the document.
    ///   - schema: the expected name of the schema.
    ///   - newest: the newest version that the type reads. Whether it reads an earlier one,
    ///     decoding tells.
    ///   - bytes: the JSON text.
    /// - Returns: the document.
    /// - Throws: ``RemoteFailure`` `notHoga` or `otherVersion`.
    public static func decode<Value: Decodable>(
        _ type: Value.Type,
        _ schema: String,
        _ newest: Int,
        from bytes: [UInt8]
    ) throws(RemoteFailure) -> Value {
        let decoder = JSONDecoder()
        let data = Data(bytes)
        guard let head = try? decoder.decode(DocumentHead.self, from: data) else {
            throw RemoteFailure(.notHoga, "the answer is not a hoga document")
        }
        guard head.schema == schema, head.version <= newest,
            let value = try? decoder.decode(type, from: data)
        else {
            throw RemoteFailure(
                .otherVersion,
                "requested \(schema) \(newest), received \(head.schema.prefix(40)) "
                    + "\(head.version); use the same version of hoga on both sides"
            )
        }
        return value
    }

    /// Checks that an answer is a document of a schema, whatever its version.
    ///
    /// - Throws: ``RemoteFailure`` `notHoga`.
    public static func check(schema: String, of bytes: [UInt8]) throws(RemoteFailure) {
        guard let head = try? JSONDecoder().decode(DocumentHead.self, from: Data(bytes)),
            head.schema == schema
        else { throw RemoteFailure(.notHoga, "the answer is not a hoga document") }
    }

    /// The first fields of every document.
    private struct DocumentHead: Decodable {
        let schema: String
        let version: Int
    }
}

/// The clock of a server, estimated from the `Date` of its answers.
///
/// Documents contain the server's times. Without a correction, a wrong local clock would make
/// fresh data look stale. Small differences are ignored: `Date` has whole seconds, and answers
/// take time.
public final class ServerClock: Sendable {
    /// The largest ignored difference, in seconds.
    static let toleranceSeconds: Int64 = 3

    private let localNow: @Sendable () -> Int64
    private let offsetSeconds = Mutex<Int64>(0)

    /// Makes a clock that equals the local one until the first answer.
    ///
    /// - Parameter now: the local wall clock, in microseconds since 1970 UTC.
    init(now: @escaping @Sendable () -> Int64) { localNow = now }

    /// The server's time, in microseconds since 1970 UTC.
    public var now: Int64 { localNow() + offsetSeconds.withLock { $0 } * 1_000_000 }

    /// Learns from the headers of an answer that just arrived; ignores an unreadable date.
    func receive(_ headers: [String: String]) {
        guard let seconds = headers["date"].flatMap({ HTTPDate.seconds($0) }) else { return }
        let difference = seconds - localNow() / 1_000_000
        let isSmall = abs(difference) <= Self.toleranceSeconds
        offsetSeconds.withLock { $0 = isSmall ? 0 : difference }
    }
}
