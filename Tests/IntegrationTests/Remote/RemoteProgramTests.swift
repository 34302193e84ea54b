import DataSourceContracts
import Domain
import Foundation
import ViewStates
import TestSupport
import Testing

@testable import App

@Suite(
    "hoga watch and hoga snapshot with --server, as processes",
    .ownThread,
    .timeLimit(.minutes(4))
)
struct RemoteProgramTests {
    @Test("on a pipe the list is printed once, and documents are the service's")
    func once() throws {
        let folder = RemoteRig.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let token = try RemoteRig.token(folder: folder)
        let port = LoopbackServer.reservedPort()
        let service = try RemoteRigService(port: port, folder: folder, rate: 1)
        defer { service.stop() }
        let url = "http://127.0.0.1:\(port)"
        var list = try HogaProcess.run(["watch", "--server", url])
        while !list.output.contains("BTC"), !Task.isCancelled {
            list = try HogaProcess.run(["watch", "--server", url + "/"])
        }
        #expect(list.status == 0 && list.output.contains("BTC"), "\(list.errors)")
        let names = ["market-list", "assets", "about", "snapshot"]
        for name in names {
            let document = try HogaProcess.run(
                ["snapshot", name],
                environment: ["HOGA_SERVER": url]
            )
            #expect(document.status == 0 && document.output.hasPrefix("{\"schema\":\"\(name)\""))
        }
        let book = try HogaProcess.run(
            ["snapshot", "order-book", "--server", url, "--market", "btc_krw", "--depth", "3"]
        )
        #expect(book.output.hasPrefix("{\"schema\":\"order-book\""), "\(book.errors)")
        let wrong = try HogaProcess.run(["snapshot", "assets", "--server", url, "--sort", "size"])
        #expect(wrong.status == 64 && wrong.output.isEmpty)
        let closed = try HogaProcess.run(["snapshot", "favorites", "--server", url])
        #expect(closed.status == 78 && closed.errors.contains("HOGA_TOKEN_FILE"))
        let mine = try HogaProcess.run(
            ["snapshot", "favorites", "--server", url],
            environment: ["HOGA_TOKEN": token]
        )
        #expect(mine.status == 0 && mine.output.hasPrefix("{\"schema\":\"favorites\""))
        #expect(!mine.errors.contains(token) && !closed.errors.contains(token))
    }

    @Test("tables and sentences are printed as with a local exchange")
    func printed() throws {
        let folder = RemoteRig.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let token = try RemoteRig.token(folder: folder)
        let port = LoopbackServer.reservedPort()
        let service = try RemoteRigService(port: port, folder: folder, wonMarkets: 67)
        defer { service.stop() }
        let server = ["watch", "--server", "http://127.0.0.1:\(port)"]
        func run(_ words: String..., token: String? = nil) throws -> HogaProcess.Outcome {
            try HogaProcess.run(
                server + words,
                environment: token.map { ["HOGA_TOKEN": $0] } ?? [:]
            )
        }
        let rows = try run("--once", "--limit", "3", "--lang", "en")
        #expect(rows.status == 0, "\(rows.errors)")
        #expect(rows.output.split(separator: "\n").count < 8 && rows.output.contains("/KRW"))
        let sentences = try run("--plain", "--limit", "2", "--lang", "en")
        #expect(
            sentences.status == 0 && sentences.output.contains(", price "),
            "\(sentences.output)"
        )
        for language in ["ko", "en"] {
            let market = try run("btc_krw", "--plain", "--depth", "2", "--lang", language)
            #expect(market.status == 0 && market.output.contains("BTC"), "\(market.errors)")
            #expect(market.output.contains(language == "ko" ? "매도" : "Ask 1"), "\(market.output)")
        }
        let assets = try run("assets", "--once", "--q", "BTC")
        #expect(assets.status == 0 && assets.output.contains("BTC"), "\(assets.errors)")

        let none = try run("NOSUCH_KRW", "--once")
        #expect(none.status == 64 && none.errors.contains("no market NOSUCH_KRW"))
        let wrong = try run("--once", "--sort", "size")
        #expect(wrong.status == 64 && wrong.output.isEmpty && wrong.errors.contains("--sort"))
        let closed = try run("portfolio", "--plain")
        #expect(closed.status == 78 && closed.errors.contains("HOGA_TOKEN_FILE"))
        let held = try run("portfolio", "--plain", token: token)
        #expect(held.status == 0 && !held.output.isEmpty, "\(held.errors)")
        let starred = try run("favorites", "--once", token: token)
        #expect(starred.status == 0, "\(starred.errors)")
    }

    @Test(
        "a flag without effect beside --server is refused, naming both",
        arguments: [
            (["--exchange", "simulated"], "--exchange"), (["--store", "none"], "--store"),
            (["--or-simulated"], "--or-simulated"), (["--seed", "3"], "--seed"),
            (["--database-pool", "2"], "--database-pool"),
        ] as [([String], String)]
    )
    func conflicts(flags: [String], name: String) throws {
        let outcome = try HogaProcess.run(["watch", "--server", "http://127.0.0.1:9"] + flags)
        #expect(outcome.status == 64 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("--server") && outcome.errors.contains(name))
    }

    @Test(
        "exported variables of an own store and exchange do not matter beside a server",
        arguments: [["--server", "http://127.0.0.1:9"], []]
    )
    func exportedVariables(flags: [String]) throws {
        let outcome = try HogaProcess.run(
            ["watch"] + flags,
            environment: [
                "HOGA_SERVER": "http://127.0.0.1:9",
                "HOGA_DATABASE_URL": "postgresql://a@127.0.0.1/b",
                "HOGA_EXCHANGE": "simulated",
            ]
        )
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("the server at http://127.0.0.1:9: cannot be reached"))
    }

    @Test("a flag of an own exchange wins over HOGA_SERVER")
    func flagOverVariable() throws {
        let document = try HogaProcess.run(
            ["snapshot", "market-list", "--exchange", "simulated", "--store", "none"],
            environment: ["HOGA_SERVER": "http://127.0.0.1:9"]
        )
        #expect(document.status == 0, "\(document.errors)")
        #expect(document.output.contains(#""feed":"simulated""#))
    }

    @Test("an unreachable service, another server and an invalid token each have their message")
    func failures() throws {
        let port = LoopbackServer.reservedPort()
        let away = try HogaProcess.run(["watch", "--server", "http://127.0.0.1:\(port)"])
        #expect(away.status == 69 && away.errors.contains("cannot be reached"))

        let stranger = LoopbackServer { connection throws(LoopbackConnection.Failure) in
            while true {
                _ = try connection.receiveHead()
                try connection.send(
                    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Type: text/html\r\n\r\nhello"
                )
            }
        }
        defer { stranger.stop() }
        let other = try HogaProcess.run(["watch", "--server", "http://127.0.0.1:\(stranger.port)"])
        #expect(other.status == 69 && other.errors.contains("not a hoga server"))

        let full = LoopbackServer { connection throws(LoopbackConnection.Failure) in
            _ = try connection.receiveHead()
            try connection.send(
                "HTTP/1.1 429 Too Many\r\nRetry-After: 9\r\nContent-Length: 0\r\n\r\n"
            )
        }
        defer { full.stop() }
        let refused = try HogaProcess.run(["watch", "--server", "http://127.0.0.1:\(full.port)"])
        #expect(refused.status == 69 && refused.errors.contains("try again in 9 s"))

        let odd = try HogaProcess.run(["watch", "--server", "127.0.0.1:80"])
        #expect(odd.status == 64 && odd.errors.contains("--server"))
    }
}
