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
    ///   - identity: its certificate and key; the settings file lies beside them.
    /// - Throws: ``ChildProcess/Failure`` if stunnel is missing or does not listen.
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
    ///   - folder: the folder of the settings file.
    ///   - tunnelPort: the only port that it opens tunnels to; any if nil.
    /// - Throws: ``ChildProcess/Failure`` if tinyproxy is missing or does not listen.
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
    /// - Returns: its destination, `host:port`.
    /// - Throws: ``ChildProcess/Failure`` when tinyproxy ends.
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
/// - Throws: ``ChildProcess/Failure`` when the test is cancelled.
private func waitForListener(on port: UInt16) throws {
    while !Task.isCancelled {
        if (try? TCPClient(port: port)) != nil { return }
        Thread.sleep(forTimeInterval: 0.01)
    }
    throw ChildProcess.Failure(text: "nothing listens on port \(port)")
}

/// A `hoga serve` process on free ports.
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

    /// The readiness document.
    func readiness() throws -> [String: Any] { try json(admin + "/readyz") }

    private func json(_ url: String) throws -> [String: Any] {
        let text = try ChildProcess.output(["curl", "--silent", "--noproxy", "*", url])
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
        return object as? [String: Any] ?? [:]
    }
}
