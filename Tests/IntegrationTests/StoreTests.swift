import Domain
import Foundation
import ViewStates
import TestSupport
import Testing

@Suite("Data that outlive the program", .ownThread, .timeLimit(.minutes(4)))
struct StoreTests {
    /// A folder for the data of a user.
    private struct Home {
        let folder = NSTemporaryDirectory() + "hoga-home-\(UUID().uuidString)"

        func run(_ arguments: [String]) throws -> HogaProcess.Outcome {
            try HogaProcess.run(arguments, environment: ["XDG_DATA_HOME": folder])
        }

        func write(_ bytes: [UInt8]) throws -> String {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true
            )
            let path = folder + "/\(UUID().uuidString).csv"
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            return path
        }

        func remove() { try? FileManager.default.removeItem(atPath: folder) }
    }

    @Test("reading creates neither a file nor a folder")
    func absent() throws {
        let home = NSTemporaryDirectory() + "hoga-absent-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: home) }
        let path = home + "/no/such/x.sqlite"
        for (arguments, status, output) in [
            (["user", "list"], 69, ""), (["user", "export", "local"], 69, ""),
            (["user", "token", "list", "local"], 69, ""), (["favorites", "list"], 0, ""),
            (["favorites", "export"], 0, "market,position\n"), (["holdings", "list"], 0, ""),
            (["cash"], 0, "-\n"), (["favorites", "remove", "BTC_KRW"], 0, ""),
        ] as [([String], Int32, String)] {
            let outcome = try HogaProcess.run(arguments + ["--store", path])
            #expect(outcome.status == status, "\(arguments) \(outcome.errors)")
            #expect(outcome.output == output, "\(arguments)")
            if status != 0 { #expect(outcome.errors.contains("no store")) }
            #expect(!FileManager.default.fileExists(atPath: home), "\(arguments)")
        }
    }

    @Test("favorites, holdings and cash survive in order and to the last digit")
    func personal() async throws {
        try await onBlockingThread {
            let home = Home()
            defer { home.remove() }
            let commands = [
                ["favorites", "add", "krw-btc"], ["favorites", "add", "ETH_BTC"],
                ["favorites", "add", "XRP_KRW"], ["favorites", "move", "XRP_KRW", "1"],
                ["favorites", "remove", "ETH_BTC"],
                ["holdings", "put", "btc", "0.000000000000000001", "123456789.5"],
                ["holdings", "put", "XRP", "1,000"], ["cash", "1,000,000"],
            ]
            for command in commands {
                let outcome = try home.run(command)
                #expect(outcome.status == 0, "\(command): \(outcome.errors)")
            }
            #expect(try home.run(["favorites", "list"]).output == "1 XRP_KRW\n2 BTC_KRW\n")
            #expect(
                try home.run(["holdings", "list"]).output
                    == "BTC 0.000000000000000001 123456789.5\nXRP 1000 -\n"
            )
            #expect(try home.run(["cash"]).output == "1000000\n")
            let check = try home.run(["store", "check"])
            #expect(check.status == 0)
            #expect(check.output.hasSuffix("sound\n"))
        }
    }

    @Test("favorites are exported and imported, and an invalid file changes nothing")
    func files() async throws {
        try await onBlockingThread {
            let home = Home()
            defer { home.remove() }
            let good = try home.write(Array("market,position\nETH_KRW,1\nBTC_KRW,2\n".utf8))
            #expect(try home.run(["favorites", "add", "BTC_KRW"]).status == 0)
            let link = home.folder + "/link"
            try FileManager.default.createSymbolicLink(
                atPath: link,
                withDestinationPath: URL(fileURLWithPath: good).lastPathComponent
            )
            #expect(try home.run(["favorites", "import", link]).status == 0)
            #expect(
                try home.run(["favorites", "export"]).output
                    == "market,position\nBTC_KRW,1\nETH_KRW,2\n"
            )
            #expect(try home.run(["favorites", "import", "--replace", good]).status == 0)
            let before = try home.run(["favorites", "list"]).output
            #expect(before == "1 ETH_KRW\n2 BTC_KRW\n")
            let wrong: [([UInt8], String)] = [
                (Array("market,position\nXRP_KRW,1\nBTC_EUR,2\n".utf8), "line 3:"),
                (Array("market,position\nXRP_KRW,1\n".utf8) + [0xED, 0xA0, 0x80], "line 3:"),
                (Array("market,position\nXRP\u{0}_KRW,1\n".utf8), "line 2: zero byte"),
                (Array(repeating: UInt8(ascii: "x"), count: 1 << 21), "larger than 1048576 bytes"),
            ]
            for (bytes, reason) in wrong {
                let path = try home.write(bytes)
                for flags in [[], ["--replace"]] {
                    let outcome = try home.run(["favorites", "import", path] + flags)
                    #expect(outcome.status == 64)
                    #expect(outcome.errors.contains(reason), "\(outcome.errors)")
                }
            }
            #expect(try home.run(["favorites", "list"]).output == before)
            #expect(try home.run(["favorites", "export", good]).status == 64, "it exists")
        }
    }

    @Test(
        "an invalid change names the reason, exits with 64 and changes nothing",
        arguments: [
            (["favorites", "add", "BTC_EUR"], "MARKET: 'BTC_EUR' is not a market"),
            (["favorites", "move", "BTC_KRW", "0"], "POSITION must"),
            (["holdings", "put", "BTC", "1e400"], "QUANTITY: not a decimal number"),
            (["holdings", "put", "BTC", "abc"], "QUANTITY: not a decimal number"),
            (["holdings", "put", "BTC", "0"], "QUANTITY: must be above zero"),
            (["holdings", "put", "BTC", "1", "1000000000001"], "AVERAGE: too large"),
            (["holdings", "put", "B-C", "1"], "ASSET:"),
            (["holdings", "put", "BTCD", "1"], "ASSET: unknown coin. Did you mean"),
            (["holdings", "put", "비트코", "1"], "Did you mean BTC"),
            (["cash", "1.0000000000000000001"], "AMOUNT: too precise"),
            (["cash", "9999999999999999"], "AMOUNT: too large"),
            (["cash", "1,000,000.5"], "AMOUNT: won have no decimals"),
        ]
    )
    func refused(command: [String], reason: String) async throws {
        try await onBlockingThread {
            let home = Home()
            defer { home.remove() }
            let outcome = try home.run(command)
            #expect(outcome.status == 64)
            #expect(outcome.errors.contains(reason), "\(outcome.errors)")
            #expect(try home.run(["holdings", "list"]).output.isEmpty)
            #expect(try home.run(["favorites", "list"]).output.isEmpty)
            #expect(try home.run(["cash"]).output == "-\n")
        }
    }

    @Test("commands report a missing and an unreadable store")
    func noStore() async throws {
        try await onBlockingThread {
            let home = Home()
            defer { home.remove() }
            #expect(try home.run(["favorites", "list", "--store", "none"]).status == 78)
            let path = try home.write(Array("this is no database at all, but text".utf8))
            let outcome = try home.run(["cash", "5", "--store", path])
            #expect(outcome.status == 69)
            #expect(outcome.errors.contains(path))
            #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("this is no"))
        }
    }

    @Test("offline the last list and candles are shown with their age")
    func offline() async throws {
        try await onBlockingThread {
            let home = Home()
            defer { home.remove() }
            let exchange = try ExchangeProcess()
            defer { exchange.end() }
            let chart = ["snapshot", "candles", "--market", "BTC_KRW", "--interval", "1m"]
            let online = try home.run(chart + exchange.flags)
            #expect(online.status == 0, "\(online.errors)")
            exchange.end()

            let candles = try home.run(chart + exchange.flags)
            #expect(candles.status == 69)
            let state = try Self.state(of: candles.output)
            let health = try #require(state["health"] as? [String: Any])
            #expect(health["phase"] as? String == "stale")
            #expect(health["origin"] as? String == "store")
            #expect(health["complete"] as? Bool == false)
            #expect(health["at"] is String)
            #expect(health["error"] is [String: Any])
            let rows = try #require(state["candles"] as? [[String: Any]])
            #expect(rows.count > 100)
            #expect(rows.allSatisfy { $0["origin"] as? String == "store" })
            let seen = try #require(Self.state(of: online.output)["candles"] as? [[String: Any]])
            // The last but one may have closed during the request; it is stored once complete.
            let closed = seen.dropLast(2).compactMap { $0["openTime"] as? String }
            #expect(Set(rows.compactMap { $0["openTime"] as? String }).isSuperset(of: closed))

            let list = try home.run(["snapshot", "market-list"] + exchange.flags)
            #expect(list.status == 69)
            let document = try JSONDecoder().decode(
                MarketListDocument.self,
                from: Data(list.output.utf8)
            )
            #expect(document.source.feed == .simulated)
            #expect(document.state.total == 12)
            #expect(document.state.health.phase == .stale)
            #expect(document.state.health.origin == .store)
            #expect(document.state.rows.allSatisfy { $0.price != nil && $0.priceAt != nil })
        }
    }

    private static func state(of output: String) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(output.utf8))
        let document = try #require(object as? [String: Any])
        return try #require(document["state"] as? [String: Any])
    }
}
