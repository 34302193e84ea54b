import DataSourceContracts
import DataSourcesHTTP

extension Command {
    static let health = Command(
        "health",
        "Check a running service: exit code 0 if it answers, else 69",
        options: [.ready],
        settings: [.adminListen],
        action: .run { invocation, program throws(ProgramError) in
            try await HealthCommand(
                program: program,
                mustBeReady: invocation.has(.ready)
            ).run()
        }
    )
}

/// `hoga health`: asks the admin listener of a running service; for container health checks.
struct HealthCommand: Sendable {
    /// Shorter than the limits of container engines, so that the check ends with a reason.
    static let timeout: Duration = .seconds(3)
    /// The maximum size of an answer, in bytes.
    static let answerBytesMax = 64 << 10

    let program: Program
    /// Whether to check readiness instead of liveness.
    let mustBeReady: Bool

    /// Prints the answer of the service.
    ///
    /// - Throws: ``ProgramError`` `unavailable` unless the service answers 200.
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

    /// The loopback address, if the service listens on all addresses.
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
