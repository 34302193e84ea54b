import CBithumbJSON
import DataSourceContracts

/// The result of a ``BithumbJSONReader``.
///
/// The result cannot be copied, and only a closure borrows it.
@safe  // The pointers are private; every access is checked against their counts.
struct BithumbJSONResult: ~Copyable {
    /// Pointers into memory of the reader, with their counts.
    private let arrays: hoga_wire_arrays

    init(_ arrays: hoga_wire_arrays) {
        unsafe self.arrays = unsafe arrays  // Pointer and count of each come from one vector.
    }

    // The counts are plain integers of a struct that also holds pointers.
    var coinCount: Int { unsafe arrays.coin_count }
    // As above.
    var messageCount: Int { unsafe arrays.message_count }
    // As above.
    var tradeCount: Int { unsafe arrays.trade_count }
    // As above.
    var candleCount: Int { unsafe arrays.candle_count }

    // As above.
    var assetCount: Int { unsafe arrays.asset_count }
    // As above.
    var marketNameCount: Int { unsafe arrays.market_name_count }
    // As above.
    var marketAlertCount: Int { unsafe arrays.market_alert_count }
    // As above.
    var marketTickerCount: Int { unsafe arrays.market_ticker_count }
    // As above.
    var bookCount: Int { unsafe arrays.book_count }

    func coin(_ index: Int) -> hoga_wire_coin {
        Self.check(index, below: unsafe arrays.coin_count)  // An integer.
        return unsafe arrays.coins[index]  // Checked above.
    }

    func message(_ index: Int) -> hoga_wire_message {
        Self.check(index, below: unsafe arrays.message_count)  // An integer.
        return unsafe arrays.messages[index]  // Checked above.
    }

    func ticker(_ index: Int) -> hoga_wire_stream_ticker {
        Self.check(index, below: unsafe arrays.ticker_count)  // An integer.
        return unsafe arrays.tickers[index]  // Checked above.
    }

    func marketTicker(_ index: Int) -> hoga_wire_market_ticker {
        Self.check(index, below: unsafe arrays.market_ticker_count)  // An integer.
        return unsafe arrays.market_tickers[index]  // Checked above.
    }

    func trade(_ index: Int) -> hoga_wire_trade {
        Self.check(index, below: unsafe arrays.trade_count)  // An integer.
        return unsafe arrays.trades[index]  // Checked above.
    }

    func candle(_ index: Int) -> hoga_wire_candle {
        Self.check(index, below: unsafe arrays.candle_count)  // An integer.
        return unsafe arrays.candles[index]  // Checked above.
    }

    func asset(_ index: Int) -> hoga_wire_asset {
        Self.check(index, below: unsafe arrays.asset_count)  // An integer.
        return unsafe arrays.assets[index]  // Checked above.
    }

    func marketName(_ index: Int) -> hoga_wire_market_name {
        Self.check(index, below: unsafe arrays.market_name_count)  // An integer.
        return unsafe arrays.market_names[index]  // Checked above.
    }

    func marketAlert(_ index: Int) -> hoga_wire_market_alert {
        Self.check(index, below: unsafe arrays.market_alert_count)  // An integer.
        return unsafe arrays.market_alerts[index]  // Checked above.
    }

    func depth(_ index: Int) -> hoga_wire_depth {
        Self.check(index, below: unsafe arrays.depth_count)  // An integer.
        return unsafe arrays.depths[index]  // Checked above.
    }

    func book(_ index: Int) -> hoga_wire_book {
        Self.check(index, below: unsafe arrays.book_count)  // An integer.
        return unsafe arrays.books[index]  // Checked above.
    }

    /// Maps a run of levels.
    func levels<Element>(
        _ run: hoga_wire_run,
        map: (hoga_wire_level) -> Element
    ) -> [Element] {
        let end = Int(run.first) + Int(run.count)
        Self.check(end, below: unsafe arrays.level_count + 1)  // An integer.
        // Checked above.
        let levels = unsafe UnsafeBufferPointer(start: arrays.levels, count: end)
        return unsafe levels[Int(run.first)...].map(map)  // Every element is read once, in bounds.
    }

    func note(_ index: Int) -> hoga_wire_note {
        Self.check(index, below: unsafe arrays.note_count)  // An integer.
        return unsafe arrays.notes[index]  // Checked above.
    }

    /// Copies a text out; its length is the reader's, so zero bytes are kept.
    func string(_ text: hoga_wire_text) -> String {
        let start = Int(text.offset)
        let end = start + Int(text.length)
        Self.check(end, below: unsafe arrays.text_bytes + 1)  // An integer.
        let bytes = unsafe UnsafeBufferPointer(start: arrays.texts, count: end)  // Checked above.
        return unsafe String(decoding: bytes[start..<end], as: UTF8.self)  // Copies the bytes.
    }

    private static func check(_ index: Int, below count: Int) {
        precondition(index >= 0 && index < count, "The reader's indices lie inside its arrays.")
    }
}

extension WireDecimal {
    /// The number, or nil when the field was absent or null.
    init?(_ number: hoga_wire_decimal) {
        guard number.is_present != 0 else { return nil }
        self.init(present: number)
    }

    /// A number that the reader has found present.
    init(present number: hoga_wire_decimal) {
        self.init(
            mantissa: Int128(number.high) << 64 | Int128(number.low),
            scale: Int(number.scale)
        )
    }
}

extension Bool {
    /// The value of a flag; nil for an unknown one.
    init?(_ flag: hoga_wire_flag) {
        switch flag {
        case .unknown: return nil
        case .off: self = false
        case .on: self = true
        }
    }
}

extension OrderBookDTO {
    init(_ book: hoga_wire_book, of result: borrowing BithumbJSONResult) {
        self.init(
            symbol: result.string(book.symbol),
            atMicroseconds: book.at_microseconds,
            asks: result.levels(book.asks) { BookLevelDTO($0) },
            bids: result.levels(book.bids) { BookLevelDTO($0) },
            skippedCount: Int(book.skipped_count)
        )
    }
}

extension BookLevelDTO {
    fileprivate init(_ level: hoga_wire_level) {
        self.init(
            price: WireDecimal(present: level.price),
            quantity: WireDecimal(present: level.quantity)
        )
    }
}

extension StreamStatusDTO {
    init(_ note: hoga_wire_note, of result: borrowing BithumbJSONResult) {
        self.init(status: result.string(note.name), message: result.string(note.words))
    }
}

extension SkippedEntryDTO {
    init(_ note: hoga_wire_note, of result: borrowing BithumbJSONResult) {
        let field = result.string(note.fault_field)
        self.init(key: result.string(note.name), fault: note.fault, field: field)
    }

    /// An entry that the reader skipped, and why; `field` is empty for a fault of the whole entry.
    init(key: String, fault: hoga_wire_fault, field: String) {
        let subject = field.isEmpty ? "the entry" : field
        self.init(key: key, reason: "\(subject) \(Self.predicate(fault))")
    }

    private static func predicate(_ fault: hoga_wire_fault) -> String {
        switch fault {
        case .none: "is as described"
        case .missing: "is missing"
        case .not_a_number: "is not a number"
        case .too_many_digits: "has more than \(HOGA_WIRE_DIGITS_MAX) digits"
        case .scale_too_large: "has an exponent beyond ±\(HOGA_WIRE_SCALE_MAX)"
        case .not_a_text: "is not text, or empty"
        case .name_too_long: "is longer than \(HOGA_WIRE_NAME_BYTES_MAX) bytes"
        case .not_a_time: "is not a valid time"
        case .not_an_integer: "is not a positive integer"
        case .unknown_code: "is a code that is not known"
        case .not_an_object: "is not an object"
        case .not_a_list: "is not a list"
        case .too_many_entries: "has too many entries"
        case .no_entries: "has no entries"
        case .frame_too_long: "is longer than the limit"
        case .not_utf8: "is not UTF-8"
        case .not_json: "is not well-formed JSON"
        }
    }
}
