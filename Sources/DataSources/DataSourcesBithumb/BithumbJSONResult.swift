import CBithumbJSON
import DataSourceContracts

/// What a ``BithumbJSONReader`` has read, lent for the length of a closure: it cannot be copied, and the
/// closure only borrows it.
@safe  // The pointers are private; every access is checked against the count that came with them.
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

    /// Maps neighbouring levels into an array of its own.
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

    /// Copies a piece of text out; its length is the reader's, zero bytes are kept.
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
