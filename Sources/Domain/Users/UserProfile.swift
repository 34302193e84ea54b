/// A user by number.
///
/// User 1 is the only user of an embedded store.
public struct UserID: Sendable, Hashable {
    /// The number, from 1.
    public let number: Int64

    /// Makes an id.
    public init(_ number: Int64) { self.number = number }

    /// The only user of an embedded store.
    public static let local = UserID(1)

    /// The owner of the configured token, whose number only the store knows.
    public static let tokenOwner = UserID(0)
}

/// The names of a user.
public struct UserProfile: Sendable, Hashable {
    /// The unique name that commands use: `local` in an embedded store.
    public var name: String
    /// The name shown on screens; nil until the user sets one.
    public var displayName: String?

    /// Makes a profile.
    public init(name: String, displayName: String?) {
        self.name = name
        self.displayName = displayName
    }
}

/// A part of a user's record with its revision.
public struct Revised<Value: Sendable & Hashable>: Sendable, Hashable {
    /// The value.
    public var value: Value
    /// Counts the changes from 0.
    ///
    /// Equal revisions mean equal values.
    public var revision: Int64

    /// Makes a part.
    public init(_ value: Value, revision: Int64) {
        self.value = value
        self.revision = revision
    }
}
