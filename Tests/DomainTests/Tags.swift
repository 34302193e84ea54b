import Testing

extension Tag {
    /// Threads share state in the suite: the thread sanitizer runs it.
    @Tag static var threads: Self

    /// The suite tries few of its cases in `make test`, and all in `make check`.
    @Tag static var manyCases: Self
}
