import Domain

/// The cached users of a ``UserStateService``, within a budget of estimated bytes.
///
/// A new user is admitted while the budget has room, at need after evicting idle users, least
/// recently used first. Users in use are never evicted, so records that are loaded or grow after
/// the admission can exceed the budget: then new users are refused until it has room again.
struct UserStateEntries: Sendable {
    /// The estimated bytes of a cached user without the content of the record: entry, publisher and
    /// document producers, as `UserMemoryTests` measures them.
    static let userBytes = 4_096

    private(set) var users: [UserID: UserStateEntry] = [:]
    /// The estimated bytes of all users.
    private(set) var bytes = 0
    let bytesMax: Int

    init(bytesMax: Int) { self.bytesMax = bytesMax }

    /// The entry of a user; nil if the user is not cached.
    subscript(user: UserID) -> UserStateEntry? {
        get { users[user] }
        _modify {
            let before = users[user]?.bytes ?? 0
            yield &users[user]
            bytes += (users[user]?.bytes ?? 0) - before
        }
    }

    /// Adds a user who is not cached, if there is room.
    ///
    /// - Returns: the users that were evicted for it.
    mutating func admit(_ user: UserID, _ make: () -> UserStateEntry) -> [UserID] {
        guard users[user] == nil else { return [] }
        let evicted = hasRoom ? [] : evict()
        if hasRoom { self[user] = make() }
        return evicted
    }

    private var hasRoom: Bool { bytes + Self.userBytes <= bytesMax }

    /// Evicts idle users until an eighth of the budget is free, so that evictions are rare.
    private mutating func evict() -> [UserID] {
        let kept = min(bytesMax - bytesMax / 8, bytesMax - Self.userBytes)
        let idle = users.filter { $0.value.policy.isIdle }
            .sorted { $0.value.policy.usedAt < $1.value.policy.usedAt }
        var evicted: [UserID] = []
        for (user, _) in idle where bytes > kept {
            self[user] = nil
            evicted.append(user)
        }
        return evicted
    }
}
