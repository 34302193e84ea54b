/// Who keeps something, by number: 1 is the single person of the embedded store.
public struct UserID: Sendable, Hashable {
    /// The number, from 1.
    public let number: Int64

    /// Makes an id.
    public init(_ number: Int64) { self.number = number }

    /// The single person of the embedded store.
    public static let local = UserID(1)

    /// Whoever the token in hand belongs to: only the store knows the number.
    public static let tokenOwner = UserID(0)
}

/// How a user is called.
public struct UserProfile: Sendable, Hashable {
    /// The name that commands and programs use: `local` in the embedded store.
    public var name: String
    /// The name that screens show; nil until the user gave one.
    public var displayName: String?

    /// Makes a profile.
    public init(name: String, displayName: String?) {
        self.name = name
        self.displayName = displayName
    }
}

/// Something that is kept for a user, with its revision.
public struct Revised<Value: Sendable & Hashable>: Sendable, Hashable {
    /// What is kept.
    public var value: Value
    /// Grows with each change, from 0: equal numbers mean equal values.
    public var revision: Int64

    /// Makes a kept value.
    public init(_ value: Value, revision: Int64) {
        self.value = value
        self.revision = revision
    }
}
