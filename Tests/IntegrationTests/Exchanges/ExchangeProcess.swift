import Testing

/// A simulated exchange in a process of its own, for programs that are started beside it: what one
/// of them is told another is told, too.
///
/// One that a program simulates by itself (`--exchange simulated`) has a past of its own, which
/// depends on the minute it begins in.
final class ExchangeProcess {
    let restURL: String
    let streamURL: String
    /// Where it listens, on 127.0.0.1.
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

    /// Ends it before it is let go of.
    func end() { program.end() }

    /// What makes hoga follow it.
    var flags: [String] { ["--rest-url", restURL, "--ws-url", streamURL] }
}
