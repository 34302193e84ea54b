import Domain

/// Says in the log how the store stands.
enum StoreLog {
    /// Writes a failure, or with nil that the store works.
    static func write(_ failure: StoreFailure?, of part: String, to log: any Log) {
        guard let failure else {
            log.write(.info, "store works part=\"\(part)\"")
            return
        }
        log.write(
            .warning,
            "store failed part=\"\(part)\" code=\(failure.code.rawValue) "
                + "detail=\"\(failure.detail)\""
        )
    }
}
