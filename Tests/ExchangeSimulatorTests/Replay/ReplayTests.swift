import Domain
import ExchangeSimulator
import FoundationEssentials
import TestSupport
import Testing
import WebSocketFraming

@Suite("A recording is played completely over real sockets")
struct ReplayTests {
    /// Three frames and three REST answers over two seconds, with unknown lines in between.
    private static let lines = [
        RecordedText.rest(0, "/public/ticker/ALL_KRW", #"{"status":"0000","data":{"v":"a"}}"#),
        RecordedText.frame(100, RecordedText.message(1)),
        #"{"at":"2022-03-01T13:47:00.200+09:00","kind":"note","any":{"thing":[1,"}",null]}}"#,
        "",
        RecordedText.rest(900, "/public/ticker/ALL_KRW", "late", status: 503),
        RecordedText.frame(1_000, RecordedText.message(2)),
        "this line was cut",
        RecordedText.rest(2_000, "/public/ticker/ALL_BTC", "bitcoin 가"),
        RecordedText.frame(2_000, RecordedText.message(3)),
        RecordedText.rest(9_000, "/public/ticker/ALL_KRW", "last"),
    ]

    private static func configuration(
        _ path: String,
        _ speed: ExchangeSimulator.Speed
    ) -> ExchangeSimulator.Configuration {
        var configuration = ExchangeSimulator.Configuration(
            host: "127.0.0.1",
            port: 0,
            feed: .replay(ExchangeSimulator.Replay(path: path, speed: speed))
        )
        configuration.acknowledgementDelay = .zero...(.zero)
        return configuration
    }

    @Test(
        "every connection plays from the beginning and is closed with 4000 at the end",
        arguments: [ExchangeSimulator.Speed.times(100), .maximum]
    )
    func file(speed: ExchangeSimulator.Speed) async throws {
        let folder = try RecordingFolder()
        let path = try folder.write("a.jsonl", Self.lines.joined(separator: "\n"))
        try await SimulatorFixture.run(Self.configuration(path, speed)) { simulator in
            for connection in 1...2 {
                let client = try StreamClient(simulator)
                #expect(try client.next()?.contains("Connected") == true)
                // The recording determines the frames, whatever the subscription.
                try client.subscribe(["NOSUCH_KRW"], transactions: false)
                let messages = try client.rest().filter { $0.contains("content") }
                #expect(messages == (1...3).map(RecordedText.message))
                #expect(client.close?.code == 4_000)
                #expect(client.close?.reason == "recording ended")
                let report = simulator.report()
                #expect(report.feed == "replay")
                #expect(report.frames == 3 * connection)
                #expect(report.skippedLines == 1)
                #expect(report.markets.isEmpty)
            }
        }
    }

    @Test("books, trades and charts are played, whatever the query")
    func details() async throws {
        let depth = #"{"type":"orderbookdepth","content":{"list":[],"datetime":"1"}}"#
        let snapshot = #"{"type":"orderbooksnapshot","content":{"symbol":"BTC_KRW"}}"#
        let folder = try RecordingFolder()
        let path = try folder.write(
            "a.jsonl",
            [
                RecordedText.rest(0, "/public/orderbook/BTC_KRW", "book"),
                RecordedText.rest(1, "/public/transaction_history/BTC_KRW?count=100", "trades"),
                RecordedText.rest(2, "/public/candlestick/BTC_KRW/10m", "candles"),
                RecordedText.frame(3, depth), RecordedText.frame(4, snapshot),
            ]
            .joined(separator: "\n")
        )
        try await SimulatorFixture.run(Self.configuration(path, .maximum)) { simulator in
            let client = try StreamClient(simulator)
            try client.send(StreamClient.request(type: "orderbookdepth", ["BTC_KRW"], nil))
            #expect(try client.rest().filter { $0.contains("content") } == [depth, snapshot])
            for (path, body) in [
                ("orderbook/BTC_KRW?count=5", "book"), ("orderbook/BTC", "book"),
                ("transaction_history/BTC_KRW", "trades"),
                ("candlestick/BTC_KRW/10m", "candles"),
            ] {
                #expect(try SimulatorFixture.get("/public/" + path, simulator).text == body)
            }
            let market = try #require(MarketID(name: "BTC_KRW"))
            #expect(throws: SimulatorControlError.recording) { try simulator.delist(market) }
            for path in ["midnight", "rate?frames=200"] {
                let answer = try SimulatorFixture.send("POST", "/simulator/\(path)", simulator)
                #expect(answer.status == 409)
            }
        }
    }

    @Test("REST answers belong to the most advanced connection's position")
    func rest() async throws {
        let folder = try RecordingFolder()
        let path = try folder.write("a.jsonl", Self.lines.joined(separator: "\r\n") + "\r\n")
        try await SimulatorFixture.run(Self.configuration(path, .maximum)) { simulator in
            let before = try SimulatorFixture.get("/public/ticker/ALL_KRW", simulator)
            #expect(before.text == #"{"status":"0000","data":{"v":"a"}}"#)
            #expect(before.header("x-hoga-feed") == "replay")
            // Not recorded yet at this position: the first answer is used.
            let early = try SimulatorFixture.get("/public/ticker/ALL_BTC?x=1", simulator)
            #expect(early.text == "bitcoin 가")
            let client = try StreamClient(simulator)
            try client.subscribe(["BTC_KRW"])
            _ = try client.rest()
            let after = try SimulatorFixture.get("/public/ticker/ALL", simulator)
            #expect(after.text == "last")
            let other = try SimulatorFixture.get("/public/ticker/BTC_KRW", simulator)
            #expect(other.status == 200)
            #expect(try other.json()["status"] == .text("5500"))
        }
    }

    @Test("a byte-order mark before the first line is skipped")
    func byteOrderMark() async throws {
        let folder = try RecordingFolder()
        let path = try folder.write("a.jsonl", "\u{FEFF}" + RecordedText.rest(0, "/p", "first"))
        try await SimulatorFixture.run(Self.configuration(path, .maximum)) { simulator in
            let answer = try SimulatorFixture.get("/p", simulator)
            #expect(answer.text == "first")
            #expect(simulator.report().skippedLines == 0)
        }
    }

    @Test("status and body are the last recorded before the playback position")
    func position() async throws {
        let folder = try RecordingFolder()
        let hour = 3_599_000
        let lines = [
            RecordedText.rest(0, "/p", "first"), RecordedText.frame(0, RecordedText.message(1)),
            RecordedText.rest(500, "/p", "second", status: 503),
            RecordedText.frame(600, RecordedText.message(2)),
            RecordedText.rest(hour, "/p", "third"),
            RecordedText.frame(hour, RecordedText.message(3)),
        ]
        let path = try folder.write("a.jsonl", lines.joined(separator: "\n"))
        try await SimulatorFixture.run(Self.configuration(path, .times(100))) { simulator in
            #expect(try SimulatorFixture.get("/p", simulator).text == "first")
            let client = try StreamClient(simulator)
            try client.subscribe(["BTC_KRW"])
            _ = try client.next { $0 == RecordedText.message(2) }
            let answer = try SimulatorFixture.get("/p", simulator)
            #expect(answer.status == 503)
            #expect(answer.text == "second")
        }
    }

    @Test("a folder has its frames in order and one answer for each path")
    func folder() async throws {
        let folder = try RecordingFolder()
        _ = try folder.write(
            "frames.jsonl",
            (1...3).map(RecordedText.message).joined(separator: "\n")
        )
        _ = try folder.write("rest/public/ticker/ALL_KRW.json", "{\"a\":\n1}")
        _ = try folder.write("secret.json", "no")
        try await SimulatorFixture.run(Self.configuration(folder.path, .times(10))) { simulator in
            let answer = try SimulatorFixture.get("/public/ticker/ALL_KRW?x=1", simulator)
            #expect(answer.text == "{\"a\":\n1}")
            let outside = try SimulatorFixture.get("/../secret", simulator)
            #expect(try outside.json()["status"] == .text("5500"))
            let client = try StreamClient(simulator)
            try client.subscribe(["BTC_KRW"])
            let messages = try client.rest().filter { $0.contains("content") }
            #expect(messages == (1...3).map(RecordedText.message))
            #expect(client.close?.code == 4_000)
        }
    }

    @Test("a slow recording advances only with time")
    func pace() async throws {
        let folder = try RecordingFolder()
        let lines = [
            RecordedText.frame(0, RecordedText.message(0)),
            RecordedText.frame(1, RecordedText.message(1)),
            RecordedText.frame(3_599_000, RecordedText.message(2)),
        ]
        let path = try folder.write("a.jsonl", lines.joined(separator: "\n"))
        try await SimulatorFixture.run(Self.configuration(path, .times(1))) { simulator in
            let client = try StreamClient(simulator)
            try client.subscribe(["BTC_KRW"])
            for number in 0...1 { _ = try client.next { $0 == RecordedText.message(number) } }
            let rest = try client.everythingSoFar()
            #expect(!rest.contains { $0.contains("content") })
            #expect(simulator.report().frames == 2)
        }
    }

    @Test("a large recording is played completely to a client that is slow at first")
    func backPressure() async throws {
        let folder = try RecordingFolder()
        let padding = String(repeating: "x", count: 2_000)
        let count = 3_000
        let text = (0..<count).map { RecordedText.frame($0 / 1_000, "\($0) content \(padding)") }
            .joined(separator: "\n")
        let path = try folder.write("a.jsonl", text)
        var configuration = Self.configuration(path, .maximum)
        configuration.outputBytesMax = 1_000_000
        try await SimulatorFixture.run(configuration) { simulator in
            let client = try StreamClient(simulator)
            client.keepLittleUnread(bytes: 65_536)
            try client.subscribe(["BTC_KRW"])
            // With a full output buffer the recording waits. If the kernel buffers all of it,
            // nothing waits.
            var (isPlaying, waitingBytes) = (true, 0)
            while isPlaying, waitingBytes == 0 {
                guard let connection = simulator.report().connections.first else { continue }
                isPlaying = connection.isOpen && connection.frames < count
                waitingBytes = connection.waitingBytes
            }
            let messages = try client.rest().filter { $0.contains("content") }
            #expect(messages.count == count)
            #expect(simulator.report().slowConnections == 0)
        }
    }

    @Test(
        "an unreadable recording is refused with file, line and remedy",
        arguments: [
            ("", "is empty"), ("{\n", "line 1 is not a JSON object"),
            (#"{"kind":"frame","text":"x"}"#, "line 1 has no time"),
            (#"{"at":"2022-03-01T13:47:09+09:00","kind":"frame"}"#, "line 1 lacks text"),
            (#"{"at":"yesterday","kind":"frame","text":"x"}"#, "line 1 has no time"),
        ]
    )
    func refusal(text: String, reason: String) throws {
        let folder = try RecordingFolder()
        let path = try folder.write("a.jsonl", text)
        let error = try #require(throws: ExchangeSimulatorError.self) {
            _ = try ExchangeSimulator(
                Self.configuration(path, .maximum),
                now: SimulatorFixture.clock
            )
        }
        #expect(error.description.contains(path))
        #expect(error.description.contains(reason))
    }

    @Test("a missing file, an empty folder and an invalid speed are refused")
    func configuration() throws {
        let folder = try RecordingFolder()
        for (path, speed) in [
            (folder.path + "/nosuch.jsonl", ExchangeSimulator.Speed.maximum),
            (folder.path, .maximum),
            (try folder.write("a.jsonl", Self.lines[0]), .times(0)),
            (try folder.write("a.jsonl", Self.lines[0]), .times(1_001)),
            (try folder.write("a.jsonl", Self.lines[0]), .times(.nan)),
        ] {
            #expect(throws: ExchangeSimulatorError.self) {
                _ = try ExchangeSimulator(
                    Self.configuration(path, speed),
                    now: SimulatorFixture.clock
                )
            }
        }
    }

    private static let sample =
        URL(filePath: #filePath).deletingLastPathComponent().path
        + "/../../../../shared/recordings/sample.jsonl"

    @Test(
        "the sample recording plays completely",
        .enabled(
            if: FileManager.default.fileExists(atPath: sample),
            "the recordings lie beside the project only where it is developed"
        )
    )
    func sampleRecording() async throws {
        try await SimulatorFixture.run(Self.configuration(Self.sample, .maximum)) { simulator in
            let client = try StreamClient(simulator)
            try client.subscribe(["BTC_KRW"])
            let messages = try client.rest().compactMap(JSONValue.parse)
            #expect(simulator.report().skippedLines == 0)
            #expect(messages.count { $0["type"] != nil } == simulator.report().frames)
            let answer = try SimulatorFixture.get("/public/ticker/ALL_KRW", simulator).json()
            #expect(answer["status"] == .text("0000"))
        }
    }

    @Test("names and states come from the recording; missing paths get the API's error")
    func reference() async throws {
        let folder = try RecordingFolder()
        let lines = [
            RecordedText.rest(0, "/v1/market/all", #"[{"market":"KRW-A"}]"#),
            RecordedText.rest(0, "/public/assetsstatus/ALL", #"{"status":"0000","data":{}}"#),
            RecordedText.frame(100, RecordedText.message(1)),
        ]
        let path = try folder.write("a.jsonl", lines.joined(separator: "\n"))
        try await SimulatorFixture.run(Self.configuration(path, .maximum)) { simulator in
            let names = try SimulatorFixture.get("/v1/market/all?isDetails=true", simulator)
            #expect(names.text == #"[{"market":"KRW-A"}]"#)
            let states = try SimulatorFixture.get("/public/assetsstatus/ALL", simulator)
            #expect(states.text == #"{"status":"0000","data":{}}"#)
            let missing = try SimulatorFixture.get("/v1/market/virtual_asset_warning", simulator)
            #expect(missing.status == 404)
            #expect(try missing.json()["name"]?.text == "not_found")
            let single = try SimulatorFixture.get("/public/assetsstatus/BTC", simulator)
            #expect(try single.json()["status"]?.text == "5500")
            let control = try SimulatorFixture.send(
                "POST",
                "/simulator/asset?coin=BTC&deposit=0",
                simulator
            )
            #expect(control.status == 409)
        }
    }
}
