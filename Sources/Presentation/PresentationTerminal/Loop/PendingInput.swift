/// What is typed behind a form while the store keeps it, in order.
///
/// It holds at most ``countMax`` keys and pastes. When it is full, the newest are dropped, and with
/// them all that follows until nothing waits any more: what waits never has a gap.
struct PendingInput {
    /// Far more than a person types while a store works; a paste counts as one and is bounded by
    /// the decoder.
    static let countMax = 1_024

    private var events: [InputEvent] = []

    private var isOverfull = false

    var isEmpty: Bool { events.isEmpty }

    /// Puts an event behind the others, if there is room.
    mutating func append(_ event: InputEvent) {
        isOverfull = isOverfull || events.count >= Self.countMax
        if !isOverfull { events.append(event) }
    }

    /// Takes the oldest event; nil without any.
    mutating func takeFirst() -> InputEvent? {
        guard !events.isEmpty else { return nil }
        if events.count == 1 { isOverfull = false }
        return events.removeFirst()
    }

    /// Gives up everything.
    mutating func removeAll() { self = PendingInput() }
}

/// What the store said of a form.
enum FormResult {
    /// It is closed: everything is kept.
    case kept
    /// It is open again.
    case refused
}
