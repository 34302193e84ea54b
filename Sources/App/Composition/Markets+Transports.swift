import BuildInfo
import Concurrency
import DataSourceContracts
import DataSourcesHTTP
import DataSourcesRecording
import DataSourcesWebSocket
import DataSourcesBithumb
import Repositories

extension Markets {
    /// The time limit for connecting to the stream and its first message.
    static let connectTimeout: Duration = .seconds(5)
    /// The time limit of a REST request.
    static let listingTimeout: Duration = .seconds(5)
    /// Stream messages are batched for this time: at most fifty wake-ups a second.
    static let batchInterval: Duration = .milliseconds(20)
    /// The user agent of hoga.
    static let userAgent = "hoga/" + BuildInfo.version

    /// The transport of REST requests.
    ///
    /// - Throws: ``ProgramError`` `configuration` for an unusable certificate authority file.
    static func transport(
        _ configuration: Configuration
    ) throws(ProgramError) -> CurlHTTPTransport {
        do throws(TransportError) {
            return try CurlHTTPTransport(
                userAgent: userAgent,
                authorityFile: configuration.caFile,
                proxy: configuration.proxy
            )
        } catch {
            throw ProgramError(
                .configuration,
                "\(Setting.caFile.environmentName): \(error.detail)"
            )
        }
    }

    /// The transports of requests and streams.
    ///
    /// - Parameters:
    ///   - transport: the transport of requests.
    ///   - configuration: the settings of the other one.
    ///   - recorder: records the messages of both; nil for none.
    /// - Returns: both, recorded if asked for.
    /// - Throws: as ``transport(_:)`` does.
    static func transports(
        _ transport: CurlHTTPTransport,
        _ configuration: Configuration,
        _ recorder: (any TrafficRecorder)?
    ) throws(ProgramError) -> (any HTTPTransport, any WebSocketTransport) {
        let streams = try streamTransport(configuration)
        guard let recorder else { return (transport, streams) }
        return (
            RecordingHTTPTransport(transport, recorder: recorder),
            RecordingWebSocketTransport(streams, recorder: recorder)
        )
    }

    /// The transport of streams; throws as ``transport(_:)`` does.
    static func streamTransport(
        _ configuration: Configuration
    ) throws(ProgramError) -> CurlWebSocketTransport {
        do throws(TransportError) {
            return try CurlWebSocketTransport(
                userAgent: userAgent,
                authorityFile: configuration.caFile,
                proxy: configuration.proxy,
                randomBytes: SystemSources.randomBytes,
                clock: ContinuousClock()
            )
        } catch {
            throw ProgramError(
                .configuration,
                "\(Setting.caFile.environmentName): \(error.detail)"
            )
        }
    }

    /// The REST client of every source.
    ///
    /// The exchange limits their requests together, so they share one rate limiter.
    static func client(
        _ exchange: ExchangeEndpoint,
        _ transport: any HTTPTransport,
        counting requests: UpstreamRequestCounts = UpstreamRequestCounts()
    ) -> BithumbClient {
        BithumbClient(
            transport: transport,
            baseURL: exchange.restURL,
            rateLimiter: RequestRateLimiter(clock: ContinuousClock()),
            timeout: listingTimeout,
            requests: requests,
            onDate: SystemSources.noteExchangeDate
        )
    }

    /// The stream of one API generation.
    static func streams(
        _ exchange: ExchangeEndpoint,
        _ generation: APIGeneration,
        _ transport: any WebSocketTransport
    ) -> BithumbStreamSource {
        guard let url = exchange.streamURLs[generation] else {
            preconditionFailure("An exchange has a stream for each generation.")
        }
        return BithumbStreamSource(
            transport: transport,
            generation: generation,
            url: url,
            clock: ContinuousClock(),
            timeout: connectTimeout,
            batchInterval: batchInterval
        )
    }

    /// Whether the exchange answers within a time limit.
    static func isReachable(
        _ exchange: ExchangeEndpoint,
        configuration: Configuration,
        within limit: Duration
    ) async throws(ProgramError) -> Bool {
        let transport = try transport(configuration)
        let client = client(exchange, transport)
        let readers = exchange.api.map { ExchangeSources.listings($0, client) }
        let isReachable = await Lifecycle.run(services: [{ await transport.run() }]) {
            await withTimeout(limit, clock: ContinuousClock()) {
                await withTaskGroup { group in
                    for reader in readers {
                        group.addTask { (try? await reader.check()) != nil }
                    }
                    let isAnswered = await group.contains(true)
                    group.cancelAll()
                    return isAnswered
                }
            }
        }
        return isReachable ?? false
    }
}
