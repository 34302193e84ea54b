import Concurrency
public import Domain

/// A cached user of a ``UserStateService``.
struct UserStateEntry: Sendable {
    /// How long after its last use an unpinned record is polled.
    static let pollDuration: Duration = .seconds(30)

    let publisher: UserStatePublisher
    var machine: UserStateMachine {
        didSet {
            if machine.state.sequence != oldValue.state.sequence {
                contentBytes = machine.state.record.contentBytes
            }
        }
    }
    var policy: RefreshPolicy
    /// Counts finished loads.
    ///
    /// Callers that share a load wait for it.
    let loads = AsyncValue<UInt64>(0)
    /// The change count of the store at the last poll.
    var changeCount: Int64?
    private var contentBytes = 0

    /// Makes the entry of a user whose record was not read yet.
    init(
        _ user: UserID,
        outlet: UserStateOutlet,
        at time: Duration,
        onChange: @escaping @Sendable (UserID) -> Void
    ) {
        let state = UserState(unread: user, name: user == .local ? "local" : "")
        publisher = UserStatePublisher(state)
        publisher.onChange { onChange(user) }
        machine = UserStateMachine(state, outlet: outlet)
        policy = RefreshPolicy(at: time)
    }

    /// The estimated bytes of the user in memory.
    var bytes: Int { UserStateEntries.userBytes + contentBytes }

    /// The next step of a caller that needs a version of the record.
    mutating func step(needing version: UInt64, at time: Duration) -> RefreshPolicy.Step {
        machine.readsStore ? policy.step(needing: version, at: time) : .show
    }

    /// Whether the service reloads the record without being asked.
    func isPinnedAndStale(at time: Duration, newsAt: Duration?) -> Bool {
        policy.pins > 0 && machine.readsStore && policy.isStale(at: time, newsAt: newsAt)
    }

    /// The time since the record was last known to be the store's; nil while it is current.
    ///
    /// Without notifications a record is current until a load fails.
    func age(at time: Duration, newsAt: Duration?) -> Duration? {
        let age = policy.age(at: time, newsAt: newsAt)
        if case .failing = machine.state.status { return age }
        return newsAt != nil && age >= RefreshPolicy.newsLifetime ? age : nil
    }

    /// Whether the record is in use and readable, so that polls ask for its changes.
    func isPolled(at time: Duration) -> Bool {
        guard machine.readsStore, !machine.state.status.isUnread else { return false }
        return policy.pins > 0 || time - policy.usedAt < Self.pollDuration
    }
}

extension StoreFailure {
    /// The users in use fill the budget.
    public static let tooManyUsers = StoreFailure(
        .busy,
        "the memory for users' data is full. Try again in a moment"
    )

    /// The program ends.
    static let ending = StoreFailure(.unavailable, "the program is ending")
}
