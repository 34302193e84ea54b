import Domain

/// Log lines about the state of the store.
enum StoreLog {
    /// A sentence about changes that were not saved; nil if all were.
    static func loss(_ unmade: [RejectedChange]) -> String? {
        // A failure of the store explains more than the rejection of one change.
        let causes = unmade.map(\.failure)
        guard let cause = causes.first(where: \.isStoreFault) ?? causes.first else { return nil }
        let changes = unmade.count == 1 ? "1 change was" : "\(unmade.count) changes were"
        return "\(changes) not saved: \(cause.detail)"
    }

    /// Logs a failure; nil logs that the store works again.
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
