/// The size of the cached users of a ``UserStateService``.
public struct UserStateSize: Sendable, Equatable {
    /// The number of cached users.
    public var users: Int
    /// Their estimated bytes.
    public var bytes: Int
    /// The budget of bytes.
    public var bytesMax: Int

    /// Makes a size.
    public init(users: Int, bytes: Int, bytesMax: Int) {
        self.users = users
        self.bytes = bytes
        self.bytesMax = bytesMax
    }
}
