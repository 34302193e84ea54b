/// Header fields that keep a browser from taking data for a page.
///
/// Source: Fetch standard, "X-Content-Type-Options header", and Content Security Policy Level 3,
/// both as of November 2026.
enum ContentProtection {
    /// The type of the body is what `Content-Type` says.
    static let noSniffing = (name: "X-Content-Type-Options", value: "nosniff")

    /// A body that is opened as a page loads and runs nothing and is shown in no frame.
    static let noContent = (
        name: "Content-Security-Policy",
        value: "default-src 'none'; frame-ancestors 'none'"
    )

    /// The fields of data; files of the page have a policy of their own.
    static let ofData = [noSniffing, noContent]
}
