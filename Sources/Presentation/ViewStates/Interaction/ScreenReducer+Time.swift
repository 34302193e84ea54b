import Domain

extension ScreenReducer {
    /// How long it is seen at least that a change was not made.
    private static let refusalTime: Duration = .seconds(4)
    /// How long the store may take before it is said that it is waited for.
    private static let patience: Duration = .seconds(2)

    /// Notes what only time tells: a store that does not answer, and words that have grown old.
    static func pass(_ now: Timestamp, pendingCall: UInt64?, _ state: inout ScreenState) {
        if let pendingCall {
            if state.owedCall?.number != pendingCall {
                state.owedCall = OwedCall(number: pendingCall, since: now)
            }
        } else {
            state.owedCall = nil
        }
        state.isStoreSlow = state.owedCall.map { now.isAtLeast(patience, after: $0.since) } ?? false
        dropOldRefusal(now, &state)
    }

    /// Takes away what was wrong with the store once it works again and could be read.
    ///
    /// A form that it kept open says that it may be handed in now.
    private static func dropOldRefusal(_ now: Timestamp, _ state: inout ScreenState) {
        guard state.refusal != nil || state.form?.failure != nil else {
            state.refusalSeenAt = nil
            return
        }
        guard let since = state.refusalSeenAt else {
            state.refusalSeenAt = now
            return
        }
        guard state.personal?.status == .ready, now.isAtLeast(refusalTime, after: since) else {
            return
        }
        if state.refusal?.failure.isStoreFault ?? false { state.refusal = nil }
        if state.form?.failure?.isStoreFault ?? false {
            state.form?.failure = nil
            state.form?.isStoreBack = true
        }
    }
}
