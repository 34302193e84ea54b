import Testing

/// A simulated exchange in a process of its own, so that several programs see the same data.
///
/// With `--exchange simulated` each program has a simulation of its own, whose past depends on the
/// minute of its start.
final class ExchangeProcess {
    let restURL: String
    let streamURL: String
    /// Its port on 127.0.0.1.
    let port: UInt16
    private let program: RunningProgram

    init() throws {
        program = try .hoga([
            "exchange", "simulate", "--listen", "127.0.0.1:0", "--krw-markets", "12",
            "--btc-markets", "2", "--rate", "50",
        ])
        let words = try program.line(with: "rest=").split(whereSeparator: \.isWhitespace)
        func value(_ name: String) throws -> String {
            let word = try #require(words.first { $0.hasPrefix(name + "=") })
            return String(word.dropFirst(name.count + 1))
        }
        restURL = try value("rest")
        streamURL = try value("stream")
        port = try #require(restURL.split(separator: ":").last.flatMap { UInt16($0) })
    }

    deinit { program.end() }

    /// Ends the process.
    func end() { program.end() }

    /// The flags that make hoga follow it.
    var flags: [String] { ["--rest-url", restURL, "--ws-url", streamURL] }
}
