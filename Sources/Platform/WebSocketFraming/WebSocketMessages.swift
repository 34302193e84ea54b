/// Complete messages received together, in order, in one block of memory.
///
/// Text and binary messages are not distinguished: the exchange sends the same JSON in both.
public struct WebSocketMessages: Sendable, Hashable {
    /// The payloads of all messages, one after the other.
    public var bytes: [UInt8]
    /// The end offset of each message; the last one equals `bytes.count`.
    public var ends: [Int]

    /// Makes a collection.
    public init(bytes: [UInt8] = [], ends: [Int] = []) {
        self.bytes = bytes
        self.ends = ends
    }

    /// The number of messages.
    public var count: Int { ends.count }

    /// Whether there is no message; a message may still be empty.
    public var isEmpty: Bool { ends.isEmpty }

    /// The payload of one message.
    public subscript(index: Int) -> ArraySlice<UInt8> {
        bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
    }
}
