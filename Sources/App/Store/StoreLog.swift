import Domain

/// Says in the log how the store stands.
enum StoreLog {
    /// How many changes were not kept, and why; nil if all were.
    static func loss(_ unmade: [RejectedChange]) -> String? {
        // What is wrong with the store says more than what is wrong with one change.
        let causes = unmade.map(\.failure)
        guard let cause = causes.first(where: \.isStoreFault) ?? causes.first else { return nil }
        let changes = unmade.count == 1 ? "1 change was" : "\(unmade.count) changes were"
        return "\(changes) not kept: \(cause.detail)"
    }

    /// Writes a failure, or with nil that the store works.
    static func write(_ failure: StoreFailure?, of part: String, to log: any Log) {
        guard let failure else {
            log.write(.info, "store works", [.text("part", part)])
            return
        }
        log.write(
            .warning,
            "store failed",
            [
                .text("part", part), .word("code", failure.code.rawValue),
                .text("detail", failure.detail),
            ]
        )
    }
}
