import DataSourceContracts
import Domain
import FoundationEssentials
import ViewStates

/// Another hoga: where it is, what opens it, and the ways to it.
struct RemoteClient: Sendable {
    /// The longest event or answer that is read, in bytes: the longest list has half a megabyte.
    static let answerBytesMax = 16 << 20
    /// How long a single answer may take.
    static let answerTimeout: Duration = .seconds(10)

    /// What a service says of itself in answers: how its clock stands against ours.
    final class Heard: Sendable {
        private let offset = RemoteClockOffset()

        /// The time of the service, as far as is known.
        func time(at local: Timestamp) -> Timestamp { offset.time(at: local) }

        /// Takes the head of an answer.
        func take(_ headers: [String: String], at local: Timestamp) {
            if let text = headers["date"] { offset.take(text, at: local) }
        }
    }

    /// Where it is, without a slash at the end.
    let url: String
    /// Opens it; nil where none was given.
    let token: AccessToken?
    /// For single answers.
    let requests: any HTTPTransport
    /// For streams.
    let streams: any EventStreamTransport
    /// The local wall clock.
    let now: @Sendable () -> Timestamp
    /// How the service's clock stands.
    let heard = Heard()

    /// The request for a target.
    ///
    /// - Parameters:
    ///   - target: path and parameters.
    ///   - method: what is done with it.
    ///   - fields: lines of the head beside those that every request has.
    ///   - body: JSON; empty for none.
    /// - Returns: a request with the token, if there is one.
    func request(
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
        if let token { all.append(("Authorization", "Bearer " + token.text)) }
        if !body.isEmpty { all.append(("Content-Type", "application/json")) }
        request.headers = all.compactMap { HTTPField($0.0, $0.1) }
        return request
    }

    /// Sends a request.
    ///
    /// - Returns: an answer of 200, 204 or 304.
    /// - Throws: ``RemoteFailure``.
    func send(_ request: HTTPRequest) async throws(RemoteFailure) -> HTTPResponse {
        let response: HTTPResponse
        do throws(TransportError) {
            response = try await requests.send(request)
        } catch {
            throw RemoteFailure(error)
        }
        heard.take(response.headers, at: now())
        switch response.status {
        case 200, 204, 304: return response
        default:
            throw RemoteFailure(
                status: response.status,
                headers: response.headers,
                body: response.body
            )
        }
    }

    /// Reads JSON of a document.
    ///
    /// - Throws: ``RemoteFailure`` `notHoga` or `otherVersion`.
    static func decode<Value: Decodable>(
        _ type: Value.Type,
        _ schema: String,
        _ version: Int,
        from bytes: [UInt8]
    ) throws(RemoteFailure) -> Value {
        let decoder = JSONDecoder()
        let data = Data(bytes)
        do {
            return try decoder.decode(type, from: data)
        } catch {
            guard let head = try? decoder.decode(DocumentHead.self, from: data) else {
                throw RemoteFailure(.notHoga, "the answer is no document of a hoga")
            }
            throw RemoteFailure(
                .otherVersion,
                "\(schema) \(version) was asked for, and \(head.schema.prefix(40)) "
                    + "\(head.version) came: use the same version of hoga on both sides"
            )
        }
    }

    /// What every document begins with.
    struct DocumentHead: Decodable {
        let schema: String
        let version: Int
    }
}
