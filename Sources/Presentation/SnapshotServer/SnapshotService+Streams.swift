import Domain
import HTTPServer
import Presentation

extension SnapshotService {
    /// Answers with the events of a document that everybody gets, as soon as there is something to
    /// tell.
    func stream(_ call: ServiceCall, _ pass: RequestPass) throws(Problem) -> HTTPServerReply {
        let query = try StreamQuery.document(call.request.query)
        return try whenSettled(query, pass) { [self] () throws(Problem) in
            if let problem = query.refusal(in: latest.value.board) { throw problem }
            if call.request.isHead { return silentStream(pass) }
            let owner = try seat(pass)
            do throws(StreamRefusal) {
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
                throw Problem(error)
            }
        }
    }

    /// The answer that a stream is.
    func reply(_ stream: EventStream, _ pass: RequestPass) -> HTTPServerReply {
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
    func seat(_ pass: RequestPass) throws(Problem) -> StreamSeats.Owner {
        let owner: StreamSeats.Owner =
            pass.user.map { .user($0) } ?? .client(RateLimits.Key(pass.client))
        guard seats.take(owner) else {
            throw Problem(
                code: .rateLimited,
                detail: "more than \(rules.streamsPerUser) streams at a time; close one first"
            )
        }
        return owner
    }

    /// The fields that would precede the events: what HEAD asks for.
    func silentStream(_ pass: RequestPass) -> HTTPServerReply {
        .stream(
            HTTPServerStream(
                headers: Self.streamFields + manners.fields(pass),
                begin: { _ in },
                next: { .end },
                ended: { [manners] in
                    manners.tell(pass, status: 200, byteCount: 0, isWhole: true, isStream: true)
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

extension Problem {
    /// Why a stream did not begin.
    init(_ refusal: StreamRefusal) {
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
        case .leaving:
            self.init(code: .internal, detail: "the process is about to end; ask again")
        }
    }
}
