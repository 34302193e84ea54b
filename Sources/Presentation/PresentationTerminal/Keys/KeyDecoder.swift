/// Decodes terminal input into key events: assembles UTF-8, recognizes control keys and drops
/// unknown escape sequences.
///
/// A pure state machine that accepts any byte sequence and holds bounded state.
public struct KeyDecoder: Sendable {
    /// The maximum scalars of a paste; the rest is dropped.
    public static let pasteScalarsMax = 1_024

    private enum Mode: Equatable {
        case text
        /// After Esc, while more bytes are there at once.
        case escape
        /// After the bracket that begins a control sequence.
        case sequenceStart
        /// Within an unknown control sequence, up to its final byte.
        case sequence
        /// Within a report of the mouse, which may arrive in pieces.
        case mouse(MouseReport)
        /// Within an unknown string for the terminal's host, up to its terminator.
        case string
        /// After Esc within such a string.
        case stringEscape
    }

    private var mode = Mode.text
    private var utf8 = UTF8Assembly()
    private var paste: PastedText?

    /// Makes a decoder at the beginning of the input.
    public init() {}

    /// Decodes one batch of input.
    ///
    /// Escape sequences arrive in one batch, so an incomplete one at the end is discarded.
    /// Characters, pastes and mouse reports may continue in the next batch.
    public mutating func decode(_ units: [InputUnit]) -> [InputEvent] {
        var events: [InputEvent] = []
        for unit in units {
            switch unit {
            case .byte(let byte): apply(byte, into: &events)
            case .key(let key):
                finishSequence(into: &events)
                // Arrow keys inside a paste are pasted, not pressed.
                if paste == nil { events.append(.key(key)) }
            case .mouseBegin:
                finishSequence(into: &events)
                mode = .mouse(MouseReport(.numbers))
            case .pasteBegin:
                finishSequence(into: &events)
                paste = paste ?? PastedText()
            case .pasteEnd:
                finishSequence(into: &events)
                endPaste(into: &events)
            }
        }
        // Mouse reports can be split across reads.
        if case .mouse = mode { return events }
        finishSequence(into: &events)
        return events
    }

    /// Ends a paste without an end marker, so that keys work again.
    public mutating func abandonPaste() -> [InputEvent] {
        var events: [InputEvent] = []
        endPaste(into: &events)
        return events
    }

    /// Whether a paste has begun and not ended.
    public var isPasting: Bool { paste != nil }

    private mutating func endPaste(into events: inout [InputEvent]) {
        if let paste, paste.count > 0 { events.append(.paste(String(paste.scalars))) }
        paste = nil
    }

    private mutating func finishSequence(into events: inout [InputEvent]) {
        if mode == .escape, paste == nil { events.append(.key(.escape)) }
        mode = .text
    }

    private mutating func apply(_ byte: UInt8, into events: inout [InputEvent]) {
        switch mode {
        case .text:
            consumeText(byte, into: &events)
        case .escape:
            switch byte {
            case UInt8(ascii: "["): mode = .sequenceStart
            case UInt8(ascii: "O"): mode = .sequence
            case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"):
                mode = .string
            default:
                // Alt with a key comes as Esc and the key.
                finishSequence(into: &events)
                consumeText(byte, into: &events)
            }
        case .sequenceStart where byte == UInt8(ascii: "<"):
            mode = .mouse(MouseReport(.numbers))
        case .sequenceStart where byte == UInt8(ascii: "M"):
            mode = .mouse(MouseReport(.bytes))
        case .mouse(let report): apply(byte, of: report, into: &events)
        case .sequenceStart, .sequence:
            mode = .sequence
            switch byte {
            case 0x20...0x3F: break
            case 0x1B: mode = .escape
            default: mode = .text
            }
        case .string:
            if byte == 0x07 { mode = .text }
            if byte == 0x1B { mode = .stringEscape }
        case .stringEscape:
            // As in terminals, Esc ends a string. The following byte starts its own sequence, so an
            // unterminated string does not swallow input.
            mode = byte == UInt8(ascii: "\\") ? .text : .escape
            if mode == .escape { apply(byte, into: &events) }
        }
    }

    /// An invalid report is decoded as keys.
    private mutating func apply(
        _ byte: UInt8,
        of report: MouseReport,
        into events: inout [InputEvent]
    ) {
        var report = report
        switch report.apply(byte) {
        case .more: mode = .mouse(report)
        case .event(let event):
            mode = .text
            if let event, paste == nil { events.append(.mouse(event)) }
        case .garbage:
            mode = .text
            consumeText(byte, into: &events)
        }
    }

    private mutating func consumeText(_ byte: UInt8, into events: inout [InputEvent]) {
        if byte == 0x1B {
            utf8 = UTF8Assembly()
            mode = .escape
            return
        }
        guard let scalar = utf8.apply(byte) else { return }
        if paste != nil {
            paste?.append(scalar)
        } else if let key = Self.key(of: scalar) {
            events.append(.key(key))
        }
    }

    private static func key(of scalar: Unicode.Scalar) -> Key? {
        switch scalar.value {
        case 0x08, 0x7F: .backspace
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x01...0x1A:
            Unicode.Scalar(scalar.value + 0x60).map(Key.control)
        case 0x00...0x1F, 0x80...0x9F: nil
        default: .character(scalar)
        }
    }
}

/// The text of a paste, up to the limit.
private struct PastedText: Sendable {
    private(set) var scalars = String.UnicodeScalarView()
    /// Counted separately, because counting a scalar view is linear.
    private(set) var count = 0

    mutating func append(_ scalar: Unicode.Scalar) {
        guard count < KeyDecoder.pasteScalarsMax else { return }
        scalars.append(scalar)
        count += 1
    }
}

/// Assembles the bytes of one UTF-8 scalar.
private struct UTF8Assembly: Sendable {
    private var value: UInt32 = 0
    private var missing = 0
    /// Smaller values of this length are spelled too long and so are no UTF-8.
    private var least: UInt32 = 0

    /// Consumes a byte.
    ///
    /// - Returns: the completed scalar; nil if more bytes must follow or the bytes are invalid,
    ///   which are dropped.
    mutating func apply(_ byte: UInt8) -> Unicode.Scalar? {
        switch byte {
        case 0x00...0x7F:
            missing = 0
            return Unicode.Scalar(byte)
        case 0x80...0xBF where missing > 0:
            value = value << 6 | UInt32(byte & 0x3F)
            missing -= 1
            return missing == 0 && value >= least ? Unicode.Scalar(value) : nil
        case 0xC2...0xDF: begin(byte & 0x1F, missing: 1, least: 0x80)
        case 0xE0...0xEF: begin(byte & 0x0F, missing: 2, least: 0x800)
        case 0xF0...0xF4: begin(byte & 0x07, missing: 3, least: 0x1_0000)
        default: missing = 0
        }
        return nil
    }

    private mutating func begin(_ bits: UInt8, missing: Int, least: UInt32) {
        value = UInt32(bits)
        self.missing = missing
        self.least = least
    }
}
