/// Something done with the mouse over one cell.
public struct MouseEvent: Sendable, Hashable {
    /// The kind of event.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// The left button went down.
        case click
        /// The pointer moved to another cell while the left button was down.
        case drag
        /// A button went up.
        case release
        /// The wheel turned up or down.
        case wheelUp, wheelDown
    }

    /// The kind of event.
    public var kind: Kind
    /// The row of the cell, from 0 at the top.
    public var row: Int
    /// The column of the cell, from 0 at the left.
    public var column: Int

    /// Makes an event.
    public init(_ kind: Kind, row: Int, column: Int) {
        self.kind = kind
        self.row = row
        self.column = column
    }

    /// Decodes a button code and a position counted from 1.
    ///
    /// - Returns: nil for other buttons, and movement without the left one.
    init?(button: Int, column: Int, row: Int, isRelease: Bool = false) {
        // Bits 4, 8 and 16 are Shift, Alt and Ctrl; 32 is movement.
        switch button & ~0b1_1100 {
        // The X10 form has one code for the release of any button.
        case 0 where isRelease, 3: kind = .release
        case 0: kind = .click
        case 32 where !isRelease: kind = .drag
        case 64: kind = .wheelUp
        case 65: kind = .wheelDown
        default: return nil
        }
        guard column > 0, row > 0 else { return nil }
        self.row = row - 1
        self.column = column - 1
    }
}

/// An incomplete mouse report, parsed byte by byte; its state is bounded.
///
/// SGR form (1006): `ESC [ <`, three numbers, and `M` or `m` for a release. X10 form: `ESC [ M` and
/// three bytes, each 32 above its number.
struct MouseReport: Sendable, Hashable {
    /// How the numbers are written.
    enum Form: Sendable, Hashable {
        /// As digits, between semicolons.
        case numbers
        /// As three bytes.
        case bytes
    }

    /// The result of a byte.
    enum Outcome: Sendable, Hashable {
        /// More bytes follow.
        case more
        /// The report is complete; nil if it has no use here.
        case event(MouseEvent?)
        /// Not a report; the byte does not belong to it.
        case garbage
    }

    /// Beyond every screen, and far from the end of integers.
    private static let numberMax = 100_000

    private let form: Form
    private var numbers: [Int] = []
    private var hasDigit = false

    init(_ form: Form) {
        self.form = form
        if form == .numbers { numbers = [0] }
    }

    /// Consumes the next byte.
    mutating func apply(_ byte: UInt8) -> Outcome {
        switch form {
        case .bytes: consumeX10(byte)
        case .numbers: consumeSGR(byte)
        }
    }

    private mutating func consumeX10(_ byte: UInt8) -> Outcome {
        guard byte >= 32 else { return .garbage }
        numbers.append(Int(byte) - 32)
        return numbers.count < 3 ? .more : .event(event())
    }

    private mutating func consumeSGR(_ byte: UInt8) -> Outcome {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            let digit = Int(byte - UInt8(ascii: "0"))
            numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + digit
            hasDigit = true
            return numbers[numbers.count - 1] > Self.numberMax ? .garbage : .more
        case UInt8(ascii: ";") where hasDigit && numbers.count < 3:
            numbers.append(0)
            hasDigit = false
            return .more
        case UInt8(ascii: "M") where hasDigit && numbers.count == 3: return .event(event())
        case UInt8(ascii: "m") where hasDigit && numbers.count == 3:
            return .event(event(isRelease: true))
        default: return .garbage
        }
    }

    private func event(isRelease: Bool = false) -> MouseEvent? {
        MouseEvent(
            button: numbers[0],
            column: numbers[1],
            row: numbers[2],
            isRelease: isRelease
        )
    }
}
