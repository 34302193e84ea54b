import CBithumbJSON
import DataSourceContracts

extension WireDecimal {
    /// The number, or nil when the field was absent or null.
    init?(_ number: hoga_wire_decimal) {
        guard number.is_present != 0 else { return nil }
        self.init(present: number)
    }

    /// A number that the reader has found to be there.
    init(present number: hoga_wire_decimal) {
        self.init(
            mantissa: Int128(number.high) << 64 | Int128(number.low),
            scale: Int(number.scale)
        )
    }
}

extension Bool {
    /// What a flag says; nil for one that says nothing.
    init?(_ flag: hoga_wire_flag) {
        switch flag {
        case .unknown: return nil
        case .off: self = false
        case .on: self = true
        }
    }
}

extension OrderBookDTO {
    init(_ book: hoga_wire_book, of answer: borrowing BithumbJSONResult) {
        self.init(
            symbol: answer.string(book.symbol),
            atMicroseconds: book.at_microseconds,
            asks: answer.levels(book.asks) { BookLevelDTO($0) },
            bids: answer.levels(book.bids) { BookLevelDTO($0) },
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

extension SkippedEntryDTO {
    /// A note of what the reader left out and why; `field` is empty when the entry as a whole is.
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
        case .not_a_time: "is no time of the calendar"
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
