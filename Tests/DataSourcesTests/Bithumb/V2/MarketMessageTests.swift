import DataSourceContracts
import DataSourcesBithumb
import TestSupport
import Testing

@Suite("Messages of API 2.x are read strictly, field by field")
struct MarketMessageTests {
    /// 2026-09-23T12:18:33.240Z.
    private static let tradedAt: Int64 = 1_790_165_913_240

    private static let ticker: MarketTickerDTO = {
        var ticker = MarketTickerDTO(
            market: "KRW-XRP",
            tradedAtMilliseconds: tradedAt,
            tradePrice: WireDecimal(1_210)
        )
        ticker.openingPrice = WireDecimal(1_204)
        ticker.highPrice = WireDecimal(1_215)
        ticker.lowPrice = WireDecimal(1_199)
        ticker.prevClosingPrice = WireDecimal(1_203)
        ticker.accTradePrice = WireDecimal(979_123_451_234, 4)
        ticker.accTradePrice24H = WireDecimal(176_373_410_121_466_379_999_997_512, 26)
        ticker.accTradeVolume = WireDecimal(812_345_511, 4)
        ticker.accTradeVolume24H = WireDecimal(14, 8)
        return ticker
    }()

    private static let trade = MarketTradeDTO(
        market: "KRW-XRP",
        atMilliseconds: tradedAt,
        takerBought: true,
        price: WireDecimal(1_211),
        quantity: WireDecimal(355, 1),
        sequentialID: 921_046_844_841_158_138
    )

    private static func book(at microseconds: Int64) -> OrderBookDTO {
        OrderBookDTO(
            symbol: "KRW-XRP",
            atMicroseconds: microseconds,
            asks: [BookLevelDTO(price: WireDecimal(1_210), quantity: WireDecimal(1_200_421, 4))],
            bids: [BookLevelDTO(price: WireDecimal(1_209), quantity: WireDecimal(355, 1))]
        )
    }

    private static let candle = CandleDTO(
        atMilliseconds: 1_790_165_880_000,
        open: WireDecimal(1_204),
        close: WireDecimal(1_210),
        high: WireDecimal(1_215),
        low: WireDecimal(1_199),
        volume: WireDecimal(9_159, 4),
        turnover: WireDecimal(11_095, 1)
    )

    private static func expected(_ message: MarketMessage) -> MarketMessage.Output {
        switch message {
        case .tickerRow: return .ticker(ticker)
        case .tickerFrame:
            var frame = ticker
            frame.accAskVolume = WireDecimal(70_000)
            frame.accBidVolume = WireDecimal(112_345_511, 4)
            frame.isSuspended = false
            frame.isWarned = true
            return .ticker(frame)
        case .tradeRow, .tradeFrame: return .trade(trade)
        case .bookRow: return .book(book(at: 1_790_133_914_965_000))
        case .bookFrame: return .book(book(at: 1_790_133_914_965_948))
        case .candleRow: return .candle(candle)
        }
    }

    @Test("each field is read from its own key", arguments: MarketMessage.allCases)
    func fields(message: MarketMessage) throws {
        #expect(try message.decode([message.json()]) == [Self.expected(message)])
        let more = #""more":{"a":[1,null,"b"]},"stream_types":"SNAPSHOT""#
        #expect(try message.decode([message.json(adding: more)]) == [Self.expected(message)])
    }

    @Test("a frame that tells the state at the request is told apart from a change since")
    func streamType() throws {
        for message in MarketMessage.allCases {
            for (json, isSnapshot) in [
                (#""SNAPSHOT""#, true), (#""REALTIME""#, false), (#""snapshot""#, false),
                ("null", false), ("1", false), ("{}", false),
            ] {
                var expected = Self.expected(message)
                switch expected {
                case .ticker(var ticker) where message.isFrame:
                    ticker.isSnapshot = isSnapshot
                    expected = .ticker(ticker)
                case .trade(var trade) where message.isFrame:
                    trade.isSnapshot = isSnapshot
                    expected = .trade(trade)
                default: break
                }
                let field = #""stream_type":\#(json)"#
                let first = "{" + field + "," + message.json().dropFirst()
                #expect(try message.decode([message.json(adding: field)]) == [expected])
                #expect(try message.decode([first, message.json()]).first == expected)
            }
        }
    }

    @Test("the order of fields does not matter", arguments: MarketMessage.allCases)
    func order(message: MarketMessage) throws {
        let members = message.fields.reversed().map { #""\#($0.key)":\#($0.json)"# }
        let json = "{\(members.joined(separator: ","))}"
        #expect(try message.decode([json]) == [Self.expected(message)])
    }

    /// The message with one number replaced; nil for a field that is no number of it.
    private static func expected(
        _ message: MarketMessage,
        _ key: String,
        _ number: WireDecimal?
    ) -> MarketMessage.Output? {
        switch expected(message) {
        case .ticker(var ticker):
            if key == "trade_price" {
                guard let number else { return nil }
                ticker.tradePrice = number
            } else {
                guard let path = tickerNumbers[key] else { return nil }
                ticker[keyPath: path] = number
            }
            return .ticker(ticker)
        case .trade(var trade):
            guard let number, let path = tradeNumbers[key] else { return nil }
            trade[keyPath: path] = number
            return .trade(trade)
        case .candle(var candle):
            if key == "candle_acc_trade_price" {
                candle.turnover = number
            } else {
                guard let number, let path = candleNumbers[key] else { return nil }
                candle[keyPath: path] = number
            }
            return .candle(candle)
        case .book, .skipped, .other: return nil
        }
    }

    private static var tickerNumbers: [String: WritableKeyPath<MarketTickerDTO, WireDecimal?>] {
        [
            "opening_price": \.openingPrice, "high_price": \.highPrice, "low_price": \.lowPrice,
            "prev_closing_price": \.prevClosingPrice, "acc_trade_price": \.accTradePrice,
            "acc_trade_price_24h": \.accTradePrice24H, "acc_trade_volume": \.accTradeVolume,
            "acc_trade_volume_24h": \.accTradeVolume24H, "acc_ask_volume": \.accAskVolume,
            "acc_bid_volume": \.accBidVolume,
        ]
    }

    private static var tradeNumbers: [String: WritableKeyPath<MarketTradeDTO, WireDecimal>] {
        ["trade_price": \.price, "trade_volume": \.quantity]
    }

    private static var candleNumbers: [String: WritableKeyPath<CandleDTO, WireDecimal>] {
        [
            "opening_price": \.open, "high_price": \.high, "low_price": \.low,
            "trade_price": \.close, "candle_acc_trade_volume": \.volume,
        ]
    }

    @Test(
        "numbers are exact in every spelling, or cost their message alone",
        arguments: MarketMessage.allCases
    )
    func numbers(message: MarketMessage) throws {
        let good = Self.expected(message)
        for field in message.fields where field.kind == .number || field.kind == .optionalNumber {
            var cases: [(json: String?, number: WireDecimal?)] = Spelling.readable.map {
                ($0.json, $0.number)
            }
            if field.kind == .optionalNumber { cases += [(nil, nil), ("null", nil)] }
            for value in cases {
                let expected = try #require(Self.expected(message, field.key, value.number))
                let outputs = try message.decode([message.json([field.key: value.json])])
                #expect(outputs == [expected], "\(field.key): \(value.json ?? "absent")")
            }
            var wrong: [String?] = Spelling.unreadable.map(\.json)
            if field.kind == .number { wrong += [nil, "null"] }
            for json in wrong {
                let bad = message.json([field.key: json])
                let name = "\(field.key): \(json ?? "absent")"
                let outputs = try message.decode([message.json(), bad, message.json()])
                expectSkipped(outputs, good, name)
            }
        }
    }

    /// Expects the message between two good ones to be skipped.
    private func expectSkipped(
        _ outputs: [MarketMessage.Output],
        _ good: MarketMessage.Output,
        _ name: String
    ) {
        #expect(outputs.count == 3 && outputs.count { $0 == good } == 2, "\(name)")
        let skipped = outputs.count { if case .skipped = $0 { true } else { false } }
        #expect(skipped == 1, "\(name)")
    }

    /// Values of a field that cost the message.
    private static func wrong(_ field: MarketMessage.Field) -> [String?] {
        let wrong: [String?] = ["{}", "[1]", "true", #""""#]
        let absent: [String?] = [nil, "null"]
        return switch field.kind {
        case .number, .optionalNumber, .flag: []
        case .name: wrong + absent
        case .unixTime: wrong + absent + [#""x""#, "NaN", "0", "-1", "1.5", "1E30"]
        case .optionalInteger: wrong + [#""x""#, "NaN", "1.5", "-1", "0"]
        case .text: wrong + absent + [#""x""#, #""2026-13-01T00:00:00""#, "7"]
        case .list: absent + ["{}", "true", #""""#, #""x""#]
        }
    }

    @Test("other wrong fields cost their message alone", arguments: MarketMessage.allCases)
    func wrongFields(message: MarketMessage) throws {
        let good = Self.expected(message)
        // Another type of frame is another message.
        for field in message.fields where field.key != "type" {
            for json in Self.wrong(field) {
                let bad = message.json([field.key: json])
                let outputs = try message.decode([message.json(), bad, message.json()])
                expectSkipped(outputs, good, "\(field.key): \(json ?? "absent")")
            }
        }
    }

    @Test("a flag without a known value is unknown")
    func flags() throws {
        let frame = MarketMessage.tickerFrame
        for (key, json, suspended, warned) in [
            ("is_trading_suspended", "true", true, true),
            ("is_trading_suspended", nil, nil, true),
            ("is_trading_suspended", "null", nil, true),
            ("is_trading_suspended", #""true""#, nil, true),
            ("is_trading_suspended", "1", nil, true),
            ("market_warning", #""NONE""#, false, false), ("market_warning", nil, false, nil),
            ("market_warning", "null", false, nil), ("market_warning", #""DANGER""#, false, nil),
            ("market_warning", "{}", false, nil), ("market_warning", "true", false, nil),
        ] as [(String, String?, Bool?, Bool?)] {
            guard case .ticker(var ticker) = Self.expected(frame) else { return }
            ticker.isSuspended = suspended
            ticker.isWarned = warned
            #expect(try frame.decode([frame.json([key: json])]) == [.ticker(ticker)], "\(key)")
        }
    }

    @Test("a trade may lack its id")
    func absentID() throws {
        var trade = Self.trade
        trade.sequentialID = nil
        for message in [MarketMessage.tradeRow, .tradeFrame] {
            for json in [nil, "null"] as [String?] {
                let outputs = try message.decode([message.json(["sequential_id": json])])
                #expect(outputs == [.trade(trade)])
            }
        }
    }

    @Test("of equal keys the last counts", arguments: MarketMessage.allCases)
    func repeatedKeys(message: MarketMessage) throws {
        for field in message.fields {
            for wrong in ["{}", #""x""#, "7", "null"] {
                let json = message.json(adding: #""\#(field.key)":\#(wrong)"#)
                let outputs = try message.decode([json])
                #expect(outputs == [Self.expected(message)], "\(field.key): \(wrong)")
            }
        }
    }

    @Test(
        "a cut message costs the body or the frame, not others",
        arguments: MarketMessage.allCases
    )
    func truncated(message: MarketMessage) throws {
        let whole = Array(message.json().utf8)
        for length in 0..<whole.count {
            let cut = String(decoding: whole.prefix(length), as: UTF8.self)
            if message.isFrame {
                let outputs = try message.decode([message.json(), cut, message.json()])
                #expect(outputs.count == 3 && outputs[0] == outputs[2], "\(length) bytes")
                #expect(outputs[1] != outputs[0], "\(length) bytes")
            } else if length > 0 {
                #expect(throws: DataSourceError.self) { try message.decode([message.json(), cut]) }
            }
        }
    }

    @Test("a trade's time is the timestamp, less nine hours if it is ahead by exactly that")
    func tradeTime() {
        let clock: Int64 = 1_790_165_913_000
        let korea: Int64 = 32_400_000
        for (timestamp, time) in [
            (clock, clock), (clock + 240, clock + 240), (clock + 999, clock + 999),
            (clock + korea, clock), (clock + korea + 240, clock + 240),
            (clock + korea + 999, clock + 999), (clock + 1_000, clock), (clock - 1, clock),
            (clock + korea - 1, clock), (clock + korea + 1_000, clock), (clock - korea, clock),
            (1, clock), (.max, clock), (.min, clock),
        ] as [(Int64, Int64)] {
            #expect(
                MarketTickerDTO.tradeTime(clockMilliseconds: clock, timestamp: timestamp) == time,
                "\(timestamp)"
            )
        }
    }

    @Test("a row with the true time is read like one that is nine hours ahead")
    func trueTime() throws {
        let row = MarketMessage.tickerRow
        let json = row.json(["trade_timestamp": "1790165913240"])
        #expect(try row.decode([json]) == [.ticker(Self.ticker)])
    }

    @Test("levels of price zero pad the shorter side; dust levels are kept; bad ones are skipped")
    func levels() throws {
        let units = [
            #"{"ask_price":0,"bid_price":1209,"ask_size":0,"bid_size":0}"#,
            #"{"bid_size":1E-4,"bid_price":8.428e-05,"ask_price":1210,"ask_size":"7"}"#,
            #"{"ask_price":"x","bid_price":1208,"ask_size":1,"bid_size":null}"#, "7",
        ]
        for message in [MarketMessage.bookRow, .bookFrame] {
            let json = message.json(["orderbook_units": "[\(units.joined(separator: ","))]"])
            let outputs = try message.decode([json])
            guard case .book(let book) = outputs.first else {
                Issue.record("\(message): \(outputs)")
                continue
            }
            #expect(
                book.asks == [BookLevelDTO(price: WireDecimal(1_210), quantity: WireDecimal(7))]
            )
            #expect(
                book.bids == [
                    BookLevelDTO(price: WireDecimal(1_209), quantity: WireDecimal(0)),
                    BookLevelDTO(price: WireDecimal(8_428, 8), quantity: WireDecimal(1, 4)),
                ]
            )
            #expect(book.skippedCount == 3)
            let reasons = outputs.dropFirst().map { $0 }
            #expect(
                reasons
                    == (message.isFrame
                        ? [
                            .skipped("ask_price is not a number"),
                            .skipped("bid_size is missing"),
                            .skipped("the level is not an object"),
                        ] : [])
            )
        }
    }

    @Test("a unit in the exchange's order of fields is read like one in another order")
    func unitSpelling() throws {
        let numbers = [
            "1", "0", "0.5", "1.50", "00", "01", "007", "00.5", ".5", "5.", "-1", "-0", "+1", "1e3",
            "1.4E-7", "1e", "999999999999999999", "9999999999999999999", "1.23456789012345678",
            "1234567890123456789.12345678901", "1..2", "1.2.3", ".", "-", "", "NaN", "0x1", "1_0",
            "null", "true", #""1""#, #""01""#, #"" 1""#, #""""#, " 1", "1 ", "{}", "[1]",
        ]
        let keys = ["ask_price", "bid_price", "ask_size", "bid_size"]
        for message in [MarketMessage.bookRow, .bookFrame] {
            for (number, place) in numbers.flatMap({ number in keys.indices.map { (number, $0) } })
            {
                let fields = keys.indices.map { index in
                    #""\#(keys[index])":\#(index == place ? number : "\(index + 7)")"#
                }
                let read = [fields, fields.reversed()].map { fields in
                    let unit = "{\(fields.joined(separator: ","))}"
                    return Result {
                        try message.decode([message.json(["orderbook_units": "[\(unit),\(unit)]"])])
                    }
                }
                #expect("\(read[0])" == "\(read[1])", "\(keys[place]): \(number)")
            }
        }
    }

    @Test("times of books are milliseconds or microseconds")
    func bookTimes() throws {
        for message in [MarketMessage.bookRow, .bookFrame] {
            for (json, time) in [
                ("1790133914965", 1_790_133_914_965_000),
                ("1790133914965948", 1_790_133_914_965_948),
            ] as [(String, Int64)] {
                let outputs = try message.decode([message.json(["timestamp": json])])
                #expect(outputs == [.book(Self.book(at: time))])
            }
        }
    }

    @Test("an error or status that is none does not hide a good frame")
    func noStatus() throws {
        for message in MarketMessage.allCases where message.isFrame {
            for more in [#""error":null"#, #""status":null"#, #""status":{}"#, #""error":{}"#] {
                let outputs = try message.decode([message.json(adding: more)])
                #expect(outputs == [Self.expected(message)], "\(more)")
            }
        }
    }

    @Test("frames that are too long or not UTF-8 are skipped alone")
    func bounds() {
        let frame = MarketMessage.tradeFrame.json()
        var decoder = StreamDecoder(.v2, frameBytesMax: frame.utf8.count)
        var batch = MessageBatch()
        batch.append(frame.utf8)
        batch.append((frame + " ").utf8)
        batch.append(Array(frame.utf8.dropLast()) + [0xFF])
        batch.append(frame.utf8)
        let messages = decoder.decode(batch)
        #expect(
            messages == [
                .trade(Self.trade),
                .skipped(SkippedEntryDTO(key: "", reason: "the entry is longer than the limit")),
                .skipped(SkippedEntryDTO(key: "", reason: "the entry is not UTF-8")),
                .trade(Self.trade),
            ]
        )
    }

    @Test("errors, answers to pings and unknown types are told apart")
    func statuses() {
        var decoder = StreamDecoder(.v2)
        let frames = [
            #"{"error":{"name":"WRONG_FORMAT","message":"Format"}}"#, #"{"status":"UP"}"#,
            #"{"type":"candle","code":"KRW-XRP"}"#,
            #"{"code":"K","error":{"message":"say \"x\"","name":"NO\u005fTYPE"},"a":"\n"}"#,
            "{}", "[]", "", "\u{0}", #"{"error":null}"#, #"{"status":{}}"#, #"{"error":"x"}"#,
            #"{"type":[7],"code":"KRW-XRP"}"#,
        ]
        let messages = decoder.decode(BithumbFixtures.batch(frames))
        #expect(
            messages.prefix(4) == [
                .status(StreamStatusDTO(status: "WRONG_FORMAT", message: "Format")),
                .status(StreamStatusDTO(status: "UP", message: "")), .unknown(type: "candle"),
                .status(StreamStatusDTO(status: "NO_TYPE", message: #"say "x""#)),
            ]
        )
        #expect(messages.count == frames.count)
        for message in messages.dropFirst(4) {
            guard case .skipped = message else {
                Issue.record("\(message)")
                continue
            }
        }
    }
}
