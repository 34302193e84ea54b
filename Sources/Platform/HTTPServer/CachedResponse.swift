/// An answer that stands: whoever puts the same question in the same words, from the same address,
/// is given it again without a request being made or a handler asked.
///
/// A handler leaves one in a request's ``HTTPServerMemory``. It is used on one thread of the server
/// at a time, many times a second, so nothing in it may wait.
public protocol CachedResponse: AnyObject, Sendable {
    /// What all answers share.
    var head: StandingHead { get }

    /// Whether it will be given no more.
    var isOver: Bool { get }

    /// Begins one more answer.
    ///
    /// - Parameter fields: takes the fields that this one has of its own.
    /// - Returns: what the answer is to be ended with; nil if the handler is to be asked.
    func begin(_ fields: inout HTTPFieldWriter) -> BegunAnswer?

    /// An answer has ended; called once for each that was begun.
    ///
    /// - Parameters:
    ///   - answer: as it was begun.
    ///   - isWhole: whether its last byte was handed to the system; false if the client left.
    func end(_ answer: BegunAnswer, isWhole: Bool)
}

/// What is found out at the beginning of an answer and told at its end.
public struct BegunAnswer: Sendable {
    /// The name of the request.
    public let name: String
    /// When it had come in, on the clock of whoever began it.
    public let startedAt: Duration

    /// Takes a note.
    public init(name: String, startedAt: Duration) {
        self.name = name
        self.startedAt = startedAt
    }
}

/// Status, shared fields and body of answers, put into their form once.
public final class StandingHead: Sendable {
    let body: HTTPServerBody
    let bytes: [UInt8]

    /// Makes a head.
    ///
    /// - Parameters:
    ///   - status: 200...599.
    ///   - fields: what is sent beside `Date`, `Content-Length` and each answer's own fields.
    ///   - body: what is sent to those who did not ask with HEAD; not with 204 and 304.
    public init(status: Int, fields: HTTPServerFields, body: HTTPServerBody) {
        let hasBody = status != 204 && status != 304
        self.body = hasBody ? body : HTTPServerBody([])
        bytes = HeadWriter.beginning(
            status,
            [fields],
            hasBody ? .length(body.byteCount) : .none
        )
    }
}

/// Writes fields of an answer.
public struct HTTPFieldWriter: Sendable {
    var bytes: [UInt8] = []

    /// Begins a field.
    ///
    /// - Precondition: the name is a token.
    public mutating func begin(_ name: StaticString) {
        name.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: ":"))
        bytes.append(UInt8(ascii: " "))
    }

    /// Adds to the value of the field that was begun.
    ///
    /// - Precondition: the text holds no line break or zero byte.
    public mutating func add(_ text: String) {
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        precondition(
            !bytes[start...].contains { $0 == 13 || $0 == 10 || $0 == 0 },
            "a field of an answer is one line"
        )
    }

    /// Adds a number to the value of the field that was begun, in decimal digits.
    public mutating func add(_ number: Int) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        let start = bytes.count
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    /// Ends the field.
    public mutating func end() { bytes += HeadWriter.lineEnd }
}
