public import Domain
import Synchronization

/// The place of one user among those who asked lately: what is kept for them as it was read last,
/// and whatever an outlet makes of it.
public final class UserStateEntry<Companion: Sendable>: Sendable {
    /// Whose it is.
    public let user: UserID
    /// What is kept; empty and `opening` until it was read.
    public let latest: UserStatePublisher
    /// What an outlet keeps beside it, as long as that.
    public let companion: Companion
    /// Counts cuts, and lets one be published at a time.
    private let sequence = Mutex<UInt64>(0)

    init(_ user: UserID, makeCompanion: (UserStatePublisher) -> Companion) {
        self.user = user
        latest = UserStatePublisher(
            UserState(
                user: user,
                record: UserRecord(name: ""),
                status: .opening,
                sequence: 0
            )
        )
        companion = makeCompanion(latest)
    }

    /// Publishes what was read, or what a change answered.
    ///
    /// - Parameters:
    ///   - record: everything that is kept for the user.
    ///   - mayBeOlder: whether it may have been read before what is published: then the newer
    ///     one stays.
    func take(_ record: UserRecord, mayBeOlder: Bool) {
        publish { cut in
            let isOld = mayBeOlder && !cut.status.isUnread && record.isOlder(than: cut.record)
            return (isOld ? cut.record : record, .ready)
        }
    }

    /// Publishes that the store fails: what was read stays.
    func fail(_ failure: StoreFailure) {
        publish { cut in
            (cut.record, cut.status.isUnread ? .waiting(failure) : .failing(failure))
        }
    }

    private func publish(_ change: (UserState) -> (UserRecord, StoreStatus)) {
        // Under the lock, so that cuts come in their order; listeners return at once.
        sequence.withLock { sequence in
            let cut = latest.value
            let (record, status) = change(cut)
            guard record != cut.record || status != cut.status else { return }
            sequence += 1
            latest.publish(
                UserState(user: user, record: record, status: status, sequence: sequence)
            )
        }
    }
}
