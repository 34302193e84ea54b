import Foundation
import TestSupport

/// TLS in front of a plain server, by stunnel.
final class StunnelProxy {
    let port: UInt16
    private let process: ChildProcess

    /// Starts stunnel and waits until it accepts.
    ///
    /// - Parameters:
    ///   - target: the port of the plain server on 127.0.0.1.
    ///   - identity: what it shows to clients; its folder takes the file of settings too.
    /// - Throws: when stunnel is missing or does not listen.
    init(to target: UInt16, identity: TestCertificateAuthority.Identity) throws {
        port = LoopbackServer.reservedPort()
        let path = identity.certificateFile + ".\(port).conf"
        let settings = """
            foreground = yes
            pid =
            debug = err

            [exchange]
            accept = 127.0.0.1:\(port)
            connect = 127.0.0.1:\(target)
            cert = \(identity.certificateFile)
            key = \(identity.keyFile)

            """
        try Data(settings.utf8).write(to: URL(fileURLWithPath: path))
        process = try ChildProcess(["stunnel4", path])
        try waitForListener(on: port)
    }
}

/// An HTTP proxy, by tinyproxy.
final class TinyProxy {
    let port: UInt16
    private let process: ChildProcess

    var url: String { "http://127.0.0.1:\(port)" }

    /// Starts tinyproxy and waits until it accepts.
    ///
    /// - Parameters:
    ///   - folder: takes its file of settings.
    ///   - tunnelPort: the only port that it opens tunnels to; any when left out.
    /// - Throws: when tinyproxy is missing or does not listen.
    init(in folder: String, tunnelPort: UInt16? = nil) throws {
        port = LoopbackServer.reservedPort()
        let path = folder + "/tinyproxy.\(port).conf"
        var settings = """
            Port \(port)
            Listen 127.0.0.1
            Allow 127.0.0.1
            LogLevel Connect
            Timeout 600

            """
        if let tunnelPort { settings += "ConnectPort \(tunnelPort)\n" }
        try Data(settings.utf8).write(to: URL(fileURLWithPath: path))
        process = try ChildProcess(["tinyproxy", "-d", "-c", path])
        try waitForListener(on: port)
    }

    /// Waits for the next request for a tunnel.
    ///
    /// - Returns: where it was to lead, `host:port`.
    /// - Throws: when tinyproxy ends.
    func nextTunnel() throws -> String {
        while true {
            let words = try process.readLine().split(separator: " ")
            if let index = words.lastIndex(of: "CONNECT"), index > 0, index + 1 < words.count {
                return String(words[index + 1])
            }
        }
    }
}

/// Waits until something accepts connections on a port of 127.0.0.1.
///
/// - Throws: when nothing does within half a minute.
private func waitForListener(on port: UInt16) throws {
    for _ in 0..<2_400 {
        if (try? TCPClient(port: port)) != nil { return }
        Thread.sleep(forTimeInterval: 0.05)
    }
    throw ChildProcess.Failure(text: "nobody listens on port \(port)")
}

/// `hoga serve` in a process of its own, on free ports.
final class ServiceProcess {
    private let program: RunningProgram
    private let address: String
    private let admin: String

    /// Starts it and waits until it listens.
    init(_ flags: [String], environment: [String: String] = [:]) throws {
        program = try .hoga(
            ["serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"] + flags,
            environment: environment
        )
        let words = try program.line(with: "http://")
            .split(whereSeparator: \.isWhitespace)
        let addresses = words.filter { $0.hasPrefix("http://") }.map(String.init)
        guard addresses.count == 2 else {
            throw ChildProcess.Failure(text: "hoga serve names no addresses")
        }
        address = addresses[0]
        admin = addresses[1]
    }

    deinit { program.end() }

    /// A document of the service.
    func document(_ path: String) throws -> [String: Any] { try json(address + path) }

    /// Whether it is ready, and why not.
    func readiness() throws -> [String: Any] { try json(admin + "/readyz") }

    private func json(_ url: String) throws -> [String: Any] {
        let text = try ChildProcess.output(["curl", "--silent", "--noproxy", "*", url])
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
        return object as? [String: Any] ?? [:]
    }
}
