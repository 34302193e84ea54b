import DataSourceContracts
import DataSourcesBithumb
import TestSupport
import Testing

@Suite("Decoders of damaged input invent no numbers")
struct MutationTests {
    /// These texts hold no zero, so no mutation of them may decode to zero.
    private static let frames = [
        BithumbFixtures.frame(
            type: "ticker",
            content: BithumbFixtures.object(
                BithumbFixtures.tickerFields,
                with: [
                    "date": #""21261123""#, "value": #""144512345.99""#, "volume": #""12.11""#,
                    "sellVolume": #""7.11""#, "buyVolume": #""5""#, "prevClosePrice": #""13""#,
                    "openPrice": #""12""#, "closePrice": #""121""#, "chgRate": #""-.67""#,
                ]
            )
        ),
        BithumbFixtures.transaction([
            BithumbFixtures.trade([
                "contAmt": #""42991""#, "contDtm": #""2126-11-23 21:18:33.241611""#,
                "contPrice": "1.4E-7",
            ])
        ]),
        #"{"status":"5611","resmsg":"\uc131공"}"#,
        #"{"content":{"list":[[],{}]},"type":"transaction"}"#,
        BithumbFixtures.depth(
            [
                BithumbFixtures.change(["quantity": #""35.51""#]),
                BithumbFixtures.change(["quantity": #"".5""#, "orderType": #""bid""#]),
                BithumbFixtures.change(["quantity": "1.4E-7", "symbol": #""B_KRW""#]),
            ],
            datetime: #""1791133914965948""#
        ),
        BithumbFixtures.snapshot([
            "datetime": "1791133914965948", "asks": #"[["121","12.1421"],["1211","7"]]"#,
            "bids": #"[["12","35.5"],{"price":"11","quantity":1.4E-7}]"#,
        ]),
    ]

    private static let body = BithumbFixtures.answer(
        [
            (
                "BTC",
                #"{"opening_price":"143211111","closing_price":"143.99","extra":[1,{"a":null}]}"#
            ),
            ("가", #"{"closing_price":1.4E-7,"fluctate_rate_24H":-7}"#), ("OLD", "[]"),
            ("A\\u005f", #"{"closing_price":"\u0031"}"#),
        ],
        date: #""1791133914965""#
    )

    private static let books = BithumbFixtures.answer(
        data: #"{"timestamp":"1791133914965","payment_currency":"KRW","order_currency":"XRP","#
            + #""bids":[{"price":"12","quantity":"35.5"}],"asks":[{"price":13,"quantity":"1"},7]}"#
    )
    private static let histories = BithumbFixtures.history([
        BithumbFixtures.historic(["total": nil, "transaction_date": #""2126-11-23 21:18:33""#]),
        BithumbFixtures.historic(["type": #""ask""#, "total": "[1,{}]"]),
    ])
    private static let candles = BithumbFixtures.candles([
        #"[1791133911111,"1214","1211","1215","1199",".9159"]"#,
        #"["1791133911112",1214,1211,"1215","1199",1.4E-7,[]]"#,
    ])

    private static let references = [
        #"{"status":"0000","data":{"BTC":{"withdrawal_status":1,"deposit_status":"1"},"A":[]}}"#,
        #"[{"market":"KRW-BTC","korean_name":"비트\ucf54인","english_name":"Bitcoin","#
            + #""market_warning":"CAUTION"},{"market":"BTC-A","korean_name":"가나"}]"#,
        #"[{"market":"KRW-A","warning_type":"PRICE","warning_step":"DANGER","#
            + #""end_date":"2126-11-21 16:59:59"},{"market":"KRW-B","warning_type":"C"}]"#,
        #"{"error":{"name":414,"message":"Code not found"}}"#,
    ]

    /// Bytes that mean something in JSON or in UTF-8; no zero among them.
    private static let alphabet =
        Array("{}[]:,\"\\123456789eE.+-ntfu \n".utf8) + [0, 0x80, 0xEB, 0xFF]

    private func mutated(_ text: String, using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let start = Int.random(in: 0...bytes.count, using: &generator)
            let end = min(bytes.count, start + Int.random(in: 0...30, using: &generator))
            let byte = Self.alphabet.randomElement(using: &generator) ?? 0
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: bytes.removeSubrange(start...)
            case 1: bytes.insert(byte, at: start)
            case 2: bytes.removeSubrange(start..<end)
            case 3: bytes.insert(contentsOf: bytes[start..<end], at: end)
            case 4 where start < bytes.count: bytes[start] = byte
            default: bytes.replaceSubrange(start..<end, with: bytes[start..<end].reversed())
            }
        }
        return bytes
    }

    @Test(
        "damaged frames are skipped or read independently of each other",
        arguments: 1...8 as ClosedRange<UInt64>
    )
    func frames(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var decoder = StreamDecoder(.v1)
        for _ in 0..<250 {
            var batch = MessageBatch()
            for _ in 0..<Int.random(in: 1...5, using: &generator) {
                let frame = Self.frames.randomElement(using: &generator) ?? ""
                batch.append(mutated(frame, using: &generator))
            }
            let messages = decoder.decode(batch)
            #expect(messages.count >= batch.count)
            for message in messages { check(message) }
            // The result of a frame does not depend on its batch.
            let alone = (0..<batch.count).flatMap { index in
                var single = MessageBatch()
                single.append(batch.bytes[batch.range(at: index)])
                return decoder.decode(single)
            }
            #expect(messages == alone)
        }
    }

    @Test("damaged ticker responses are refused or read", arguments: 1...8 as ClosedRange<UInt64>)
    func bodies(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var decoder = TickerAllDecoder()
        for _ in 0..<500 {
            let body = mutated(Self.body, using: &generator)
            do {
                let answer = try decoder.decode(body)
                for ticker in answer.tickers {
                    #expect(ticker.closingPrice?.mantissa != 0)
                    #expect(ticker.openingPrice?.mantissa != 0)
                    #expect(ticker.fluctateRate24H?.mantissa != 0)
                }
                #expect(answer.dateMilliseconds != 0)
            } catch {
                switch error.code {
                case .malformed, .refused: break
                default: Issue.record("a decoder says \(error)")
                }
            }
        }
    }

    @Test(
        "damaged responses of a market's details are refused or read",
        arguments: 1...8 as ClosedRange<UInt64>
    )
    func details(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var books = OrderBookDecoder()
        var histories = TradeHistoryDecoder()
        var candles = CandlesDecoder()
        for _ in 0..<250 {
            let bodies = [Self.books, Self.histories, Self.candles]
                .map { mutated($0, using: &generator) }
            for body in bodies {
                checkErrors {
                    let book = try books.decode(body, symbol: "XRP_KRW")
                    #expect(book.symbol == "XRP_KRW" && book.atMicroseconds > 0)
                    for level in book.asks + book.bids {
                        #expect(level.price.mantissa != 0 && level.quantity.mantissa != 0)
                    }
                }
                checkErrors {
                    for trade in try histories.decode(body).trades {
                        #expect(trade.price.mantissa != 0 && trade.quantity.mantissa != 0)
                    }
                }
                checkErrors {
                    for row in try candles.decode(body).rows {
                        let numbers = [row.open, row.close, row.high, row.low, row.volume]
                        #expect(numbers.allSatisfy { $0.mantissa != 0 } && row.atMilliseconds > 0)
                    }
                }
            }
        }
    }

    @Test(
        "damaged responses of reference data are refused or read",
        arguments: 1...8 as ClosedRange<UInt64>
    )
    func references(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var assets = AssetStatusDecoder()
        var references = MarketReferenceDecoder()
        for _ in 0..<250 {
            let bodies = Self.references.map { mutated($0, using: &generator) }
            for body in bodies {
                checkErrors {
                    for entry in try assets.decode(body).assets { #expect(!entry.asset.isEmpty) }
                }
                checkErrors {
                    for row in try references.markets(body).markets {
                        // A damaged name is read as none.
                        check(texts: [row.market, row.korean.isEmpty ? "-" : row.korean])
                        #expect(!row.english.unicodeScalars.contains { $0.value < 0x20 })
                    }
                }
                checkErrors {
                    for row in try references.alerts(body).alerts {
                        check(texts: [row.market, row.type, row.step ?? "-"])
                        #expect(row.endsAtMicroseconds != 0)
                    }
                }
            }
        }
    }

    @Test(
        "damaged messages of API 2.x are skipped, refused or read",
        arguments: 1...8 as ClosedRange<UInt64>
    )
    func marketMessages(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            for message in MarketMessage.allCases {
                let good = message.json()
                let bytes = mutated(good, using: &generator)
                let text = String(decoding: bytes, as: UTF8.self)
                checkErrors {
                    let outputs = try message.decode([good, text])
                    #expect(outputs.contains(try message.decode([good])[0]))
                    #expect(outputs.count >= 2 || !message.isFrame)
                }
            }
        }
    }

    /// Checks that texts for users are single lines of at most 100 characters.
    private func check(texts: [String]) {
        for text in texts {
            #expect(!text.isEmpty && text.unicodeScalars.count <= 100)
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
        }
    }

    /// A decoder may find an answer malformed or refused, and nothing else.
    private func checkErrors(_ decode: () throws -> Void) {
        do {
            try decode()
        } catch let error as DataSourceError {
            switch error.code {
            case .malformed, .refused: break
            default: Issue.record("a decoder says \(error)")
            }
        } catch {
            Issue.record("a decoder says \(error)")
        }
    }

    private func check(_ message: StreamMessageDTO) {
        switch message {
        case .ticker(let ticker):
            #expect(ticker.closePrice.mantissa != 0 && ticker.openPrice.mantissa != 0)
            #expect(!ticker.symbol.isEmpty && ticker.chgRate.mantissa != 0)
        case .transactions(let trades):
            for trade in trades {
                #expect(trade.price.mantissa != 0 && trade.quantity.mantissa != 0)
                #expect(!trade.symbol.isEmpty && trade.amount.mantissa != 0)
            }
        case .depth(let depth):
            #expect(!depth.symbol.isEmpty && depth.atMicroseconds > 0 && !depth.changes.isEmpty)
            for change in depth.changes {
                #expect(change.price.mantissa != 0 && change.quantity.mantissa != 0)
            }
        case .orderBook(let book):
            #expect(!book.symbol.isEmpty && book.atMicroseconds > 0)
            for level in book.asks + book.bids {
                #expect(level.price.mantissa != 0 && level.quantity.mantissa != 0)
            }
        case .marketTicker, .trade: Issue.record("API 1.x has no \(message)")
        case .skipped(let entry):
            #expect(!entry.reason.isEmpty)
        case .unknown(let type):
            #expect(!type.isEmpty)
        case .status:
            break
        }
    }
}
