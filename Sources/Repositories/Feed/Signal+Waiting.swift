extension Signal {
    /// Waits until the value meets a condition, but not longer than a while; ends promptly when the
    /// task is cancelled.
    func first<C: Clock>(
        within duration: Duration,
        by clock: C,
        where isMet: @escaping @Sendable (Value) -> Bool
    ) async where C.Duration == Duration {
        guard duration > .zero, !isMet(value) else { return }
        await withTaskGroup { group in
            group.addTask { try? await clock.sleep(for: duration) }
            group.addTask { _ = await self.first(where: isMet) }
            await group.next()
            group.cancelAll()
        }
    }
}
