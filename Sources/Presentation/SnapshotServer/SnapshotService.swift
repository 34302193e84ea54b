public import HTTPServer
public import Presentation
import Synchronization

/// The public listener: documents for programs.
///
/// Paths, methods and statuses are decided here.
public final class SnapshotService: Sendable {
    private let markets: MarketListRoute
    private let makeRequestID: @Sendable () -> String

    /// Makes the service.
    ///
    /// - Parameters:
    ///   - cutter: makes the list documents.
    ///   - makeRequestID: names a request in answers and logs; different at each call.
    public init(
        cutter: MarketListCutter,
        makeRequestID: @escaping @Sendable () -> String
    ) {
        markets = MarketListRoute(cutter: cutter)
        self.makeRequestID = makeRequestID
    }

    /// Answers one request; never waits.
    public func answer(_ request: HTTPServerRequest) -> HTTPServerReply {
        do throws(Problem) {
            switch request.path {
            case "/v1/markets":
                try Self.requireGet(request)
                return .response(try markets.answer(request))
            default:
                throw Problem(
                    code: .notFound,
                    detail: "\(Problem.short(request.path)) is not an address here"
                )
            }
        } catch {
            return .response(error.response(requestID: makeRequestID()))
        }
    }

    static func requireGet(_ request: HTTPServerRequest) throws(Problem) {
        guard request.method == "GET" else {
            throw Problem(
                code: .methodNotAllowed,
                detail: "\(Problem.short(request.method)) is not taken here",
                allowedMethods: "GET, HEAD"
            )
        }
    }
}
