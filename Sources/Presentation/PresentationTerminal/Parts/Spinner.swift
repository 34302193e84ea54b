import Domain

/// A character that turns while data is loading.
enum Spinner {
    /// The duration of one frame of the spinner.
    static let interval: Duration = .milliseconds(250)
    private static let pictures = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

    /// The character at a time.
    static func text(at moment: Timestamp) -> String {
        let step = moment.microseconds / interval.wholeMicroseconds
        let count = Int64(pictures.count)
        return String(pictures[Int((step % count + count) % count)])
    }
}
