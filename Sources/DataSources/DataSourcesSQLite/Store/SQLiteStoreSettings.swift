import Migrations

/// What a store does by itself; tests set it otherwise.
struct SQLiteStoreSettings: Sendable {
    /// How long a call waits for another process that holds the file.
    var patience = Duration.seconds(5)
    /// The shortest time between two attempts to open, microseconds.
    var retryMicroseconds: Int64 = 1_000_000
    /// How many pages of 4 KiB the file may have; nil for as many as the disk has.
    var pagesMax: Int64?
    /// What makes the tables, in order.
    var steps = Migration.sqlite
}
