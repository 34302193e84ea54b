import Testing

extension Tag {
    /// Threads share state in the suite: the thread sanitizer runs it.
    @Tag static var threads: Self
}
