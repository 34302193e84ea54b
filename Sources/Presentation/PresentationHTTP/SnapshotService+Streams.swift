import Domain
import HTTPServer
import UseCases
import ViewStates
import Synchronization

extension SnapshotService {
    /// Responds with the event stream of a public document, once it has data.
    func stream(
        _ call: RoutedRequest,
        _ context: RequestContext
    ) throws(Problem) -> HTTPServerReply {
        guard case .stream(let parsed) = call.query else { throw Self.notFound(call.request) }
        let query = try parsed.get()
        return try whenReady(query, context) { [self] () throws(Problem) in
            if let problem = query.rejection(in: latest.value.board) { throw problem }
            if call.request.isHead { return endedStream([], context) }
            let owner = try acquireStream(context)
            do throws(StreamRejection) {
                let subscription = try streams.subscribe(
                    to: query,
                    for: StreamReader(owner: owner, isGzip: context.acceptsGzip),
                    resumingAfter: call.request.header("last-event-id")
                )
                return reply(
                    EventStream(subscription) { [streamQuota] in
                        subscription.cancel()
                        streamQuota.release(owner)
                    },
                    context
                )
            } catch {
                streamQuota.release(owner)
                if let problem = Problem(error) { throw problem }
                return endedStream(EventFrame.bye, context)
            }
        }
    }

    /// Responds with the event stream of a user's documents, once they have data.
    func personalStream(
        _ call: RoutedRequest,
        _ grant: TokenGrant,
        _ personal: any UserAPI,
        _ context: RequestContext
    ) throws(Problem) -> HTTPServerReply {
        guard let token = call.token, case .userStream(let parsed) = call.query else {
            throw Self.notFound(call.request)
        }
        let query = try parsed.get()
        let begin = { @Sendable [self] () throws(Problem) in
            if call.request.isHead { return endedStream([], context) }
            return try personalStream(query, call, grant, token, personal, context)
        }
        guard let market = query.market else { return try begin() }
        return try whenReady(market, context) { [self] () throws(Problem) in
            if let problem = market.rejection(in: latest.value.board) { throw problem }
            return try begin()
        }
    }

    private func personalStream(
        _ query: UserStreamQuery,
        _ call: RoutedRequest,
        _ grant: TokenGrant,
        _ token: AccessToken,
        _ personal: any UserAPI,
        _ context: RequestContext
    ) throws(Problem) -> HTTPServerReply {
        let owner = try acquireStream(context)
        let stream = DeferredValue<Result<EventStream, Problem>>()
        let reader = StreamReader(owner: owner, isGzip: context.acceptsGzip)
        personal.stream(query, call, grant, token, for: reader) { [streamQuota] result in
            switch result {
            // If the client has disconnected, nothing holds the stream, and its deinit releases it.
            case .success(let user):
                stream.fulfill(
                    .success(
                        EventStream(user.subscription) {
                            user.end()
                            streamQuota.release(owner)
                        }
                    )
                )
            case .failure(let problem):
                streamQuota.release(owner)
                stream.fulfill(.failure(problem))
            }
        }
        return stream.reply(within: configuration.storeTimeout) { [self] stream in
            switch stream {
            case .success(let stream): return reply(stream, context)
            case .failure(let problem): return .response(pipeline.response(problem, context))
            case nil: return .response(pipeline.response(.storeTimedOut, context))
            }
        }
    }

    /// The response that sends a stream.
    private func reply(_ stream: EventStream, _ context: RequestContext) -> HTTPServerReply {
        .stream(
            stream.response(Self.streamFields(context) + pipeline.streamFields(context)) {
                [pipeline] bytes, isComplete in
                pipeline.record(
                    context,
                    status: 200,
                    byteCount: bytes,
                    isComplete: isComplete,
                    isStream: true
                )
            }
        )
    }

    /// Charges a stream to its user or client.
    ///
    /// - Throws: ``Problem`` `rate_limited`.
    private func acquireStream(_ context: RequestContext) throws(Problem) -> StreamQuota.Owner {
        let owner: StreamQuota.Owner =
            context.user.map { .user($0) } ?? .client(RateLimits.Key(context.client))
        guard streamQuota.acquire(owner) else {
            throw Problem(
                code: .rateLimited,
                detail: "\(configuration.streamsPerUser) streams are open; close one first"
            )
        }
        return owner
    }

    /// A stream that ends at once: for HEAD, and while the process stops.
    private func endedStream(_ bytes: [UInt8], _ context: RequestContext) -> HTTPServerReply {
        var coding = StreamCoding(isGzip: context.acceptsGzip)
        let chunk = SingleChunk(coding.encode(short: bytes) + coding.end)
        return .stream(
            HTTPServerStream(
                headers: Self.streamFields(context) + pipeline.streamFields(context),
                begin: { _ in },
                next: { chunk.next() },
                ended: { [pipeline] in
                    pipeline.record(
                        context,
                        status: 200,
                        byteCount: context.request.isHead ? 0 : bytes.count,
                        isComplete: true,
                        isStream: true
                    )
                }
            )
        )
    }

    private static func streamFields(
        _ context: RequestContext
    ) -> [(name: String, value: String)] {
        [
            (name: "Content-Type", value: "text/event-stream"),
            (name: "Cache-Control", value: "no-store, no-transform"),
            (name: "X-Accel-Buffering", value: "no"),
        ] + (context.acceptsGzip ? [(name: "Content-Encoding", value: "gzip")] : [])
    }
}

/// One chunk, then the end.
private final class SingleChunk: Sendable {
    private let chunk: Mutex<[UInt8]?>

    init(_ bytes: [UInt8]) {
        chunk = Mutex(bytes)
    }

    func next() -> HTTPServerStream.Chunk {
        chunk.withLock { $0.take() }.map { .bytes($0) } ?? .end
    }
}

extension Problem {
    /// The response to a rejected stream; nil while the process stops.
    fileprivate init?(_ rejection: StreamRejection) {
        switch rejection {
        case .tooManyTopics:
            self.init(
                code: .rateLimited,
                detail: "too many different documents are streamed;"
                    + " unused ones are released within a minute"
            )
        case .tooManyBytes:
            self.init(
                code: .rateLimited,
                detail: "the streamed documents take all memory that streams may use;"
                    + " ask for fewer rows or candles, or close a stream first"
            )
        case .tooManyInterests: self = .tooManyInterests
        case .notStreamed:
            self = .invalidParameter(
                "documents",
                "names a document that is not streamed",
                allowed: StreamQuery.documents
            )
        case .stopping: return nil
        }
    }
}
