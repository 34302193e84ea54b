/// Input typed after a form was submitted, in order, until the store has answered.
///
/// Holds at most ``countMax`` events. When full, all further input is dropped until the queue is
/// empty, so the queue never has a gap.
struct PendingInput {
    /// Far more than a person types while a store works; a paste counts as one and is bounded by
    /// the decoder.
    static let countMax = 1_024

    private var events: [InputEvent] = []

    private var isOverfull = false

    var isEmpty: Bool { events.isEmpty }

    /// Appends an event if there is room.
    mutating func append(_ event: InputEvent) {
        isOverfull = isOverfull || events.count >= Self.countMax
        if !isOverfull { events.append(event) }
    }

    /// Removes the oldest event; nil if empty.
    mutating func takeFirst() -> InputEvent? {
        guard !events.isEmpty else { return nil }
        if events.count == 1 { isOverfull = false }
        return events.removeFirst()
    }

    /// Discards everything.
    mutating func removeAll() { self = PendingInput() }
}

/// The store's answer to a form.
enum FormResult {
    /// Saved; the form is closed.
    case saved
    /// The form is open again.
    case refused
}
