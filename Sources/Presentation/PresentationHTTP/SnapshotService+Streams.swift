import Domain
import HTTPServer
import UseCases
import ViewStates
import Synchronization

extension SnapshotService {
    /// Answers with the events of a document that everybody gets, as soon as there is something to
    /// tell.
    func stream(_ call: RoutedRequest, _ pass: RequestContext) throws(Problem) -> HTTPServerReply {
        let query = try StreamQuery.document(call.request.query)
        return try whenReady(query, pass) { [self] () throws(Problem) in
            if let problem = query.refusal(in: latest.value.board) { throw problem }
            if call.request.isHead { return endedStream([], pass) }
            let owner = try seat(pass)
            do throws(StreamRejection) {
                let subscription = try streams.subscribe(
                    to: query,
                    resumingAfter: call.request.header("last-event-id")
                )
                return reply(
                    EventStream(subscription) { [seats] in
                        subscription.cancel()
                        seats.leave(owner)
                    },
                    pass
                )
            } catch {
                seats.leave(owner)
                if let problem = Problem(beginning: error) { throw problem }
                return endedStream(EventFrame.bye, pass)
            }
        }
    }

    /// Answers with the events of documents as a user sees them, as soon as there is something to
    /// tell.
    func personalStream(
        _ call: RoutedRequest,
        _ grant: TokenGrant,
        _ personal: any UserAPI,
        _ pass: RequestContext
    ) throws(Problem) -> HTTPServerReply {
        guard let token = call.token else { throw Self.notFound(call.request) }
        let query = try UserStreamQuery(call.request.query)
        let begin = { @Sendable [self] () throws(Problem) in
            if call.request.isHead { return endedStream([], pass) }
            return try personalStream(query, call, grant, token, personal, pass)
        }
        guard let market = query.market else { return try begin() }
        return try whenReady(market, pass) { [self] () throws(Problem) in
            if let problem = market.refusal(in: latest.value.board) { throw problem }
            return try begin()
        }
    }

    private func personalStream(
        _ query: UserStreamQuery,
        _ call: RoutedRequest,
        _ grant: TokenGrant,
        _ token: AccessToken,
        _ personal: any UserAPI,
        _ pass: RequestContext
    ) throws(Problem) -> HTTPServerReply {
        let owner = try seat(pass)
        let begun = DeferredValue<Result<EventStream, Problem>>()
        personal.stream(query, call, grant, token) { [seats] result in
            switch result {
            // Whoever left before it began has it given back as well: nobody holds it then.
            case .success(let stream):
                let stream = EventStream(stream.subscription) {
                    stream.end()
                    seats.leave(owner)
                }
                begun.put(.success(stream))
            case .failure(let problem):
                seats.leave(owner)
                begun.put(.failure(problem))
            }
        }
        return begun.reply(within: rules.storeTimeout) { [self] begun in
            switch begun {
            case .success(let stream): return reply(stream, pass)
            case .failure(let problem): return .response(manners.response(problem, pass))
            case nil: return .response(manners.response(Self.storeTimedOut, pass))
            }
        }
    }

    /// The answer that a stream is.
    func reply(_ stream: EventStream, _ pass: RequestContext) -> HTTPServerReply {
        .stream(
            stream.answer(Self.streamFields + manners.fields(pass)) { [manners] bytes, isWhole in
                manners.tell(
                    pass,
                    status: 200,
                    byteCount: bytes,
                    isWhole: isWhole,
                    isStream: true
                )
            }
        )
    }

    /// Takes a seat for a stream.
    ///
    /// - Throws: ``Problem`` `rate_limited`.
    func seat(_ pass: RequestContext) throws(Problem) -> StreamQuota.Owner {
        let owner: StreamQuota.Owner =
            pass.user.map { .user($0) } ?? .client(RateLimits.Key(pass.client))
        guard seats.take(owner) else {
            throw Problem(
                code: .rateLimited,
                detail: "more than \(rules.streamsPerUser) streams at a time; close one first"
            )
        }
        return owner
    }

    /// A stream that is over at once: for HEAD, which wants the fields alone, and for whoever
    /// comes when the process is about to end.
    func endedStream(_ bytes: [UInt8], _ pass: RequestContext) -> HTTPServerReply {
        let pieces = SingleChunk(bytes)
        return .stream(
            HTTPServerStream(
                headers: Self.streamFields + manners.fields(pass),
                begin: { _ in },
                next: { pieces.next() },
                ended: { [manners] in
                    manners.tell(
                        pass,
                        status: 200,
                        byteCount: pass.request.isHead ? 0 : bytes.count,
                        isWhole: true,
                        isStream: true
                    )
                }
            )
        )
    }

    private static let streamFields = [
        (name: "Content-Type", value: "text/event-stream"),
        (name: "Cache-Control", value: "no-store, no-transform"),
        (name: "X-Accel-Buffering", value: "no"),
    ]
}

/// One piece and the end.
private final class SingleChunk: Sendable {
    private let rest: Mutex<[UInt8]?>

    init(_ bytes: [UInt8]) {
        rest = Mutex(bytes)
    }

    func next() -> HTTPServerStream.Piece {
        rest.withLock { $0.take() }.map { .bytes($0) } ?? .end
    }
}

extension Problem {
    /// Why a stream of everybody's did not begin; nil where the process is about to end.
    fileprivate init?(beginning refusal: StreamRejection) {
        switch refusal {
        case .tooManyTopics:
            self.init(
                code: .rateLimited,
                detail: "as many different questions are streamed as may be;"
                    + " those that nobody reads are given up within a minute"
            )
        case .tooManyInterests:
            self.init(
                code: .rateLimited,
                detail: "too many different markets and intervals are being followed;"
                    + " those that nobody asks for are given up within a minute"
            )
        case .notStreamed:
            self = .invalidParameter(
                "documents",
                "names a document whose changes are not streamed",
                allowed: StreamQuery.documents
            )
        case .leaving: return nil
        }
    }
}
