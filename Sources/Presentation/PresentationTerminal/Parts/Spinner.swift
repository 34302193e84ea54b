import Domain

/// A character that turns while something is awaited.
enum Spinner {
    /// The duration of one frame of the spinner.
    static let interval: Duration = .milliseconds(250)
    private static let pictures = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

    /// The picture at a moment.
    static func text(at moment: Timestamp) -> String {
        let step = moment.microseconds / interval.wholeMicroseconds
        let count = Int64(pictures.count)
        return String(pictures[Int((step % count + count) % count)])
    }
}
