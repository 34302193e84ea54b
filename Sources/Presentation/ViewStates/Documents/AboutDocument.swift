/// The document `about`, version 1: what this program is.
public typealias AboutDocument = Document<AboutViewState>

/// 더보기: what this program is, what it is made of, and what its numbers are worth.
public struct AboutViewState: DocumentState {
    /// `about`.
    public static let schemaName = "about"
    /// Version 1.
    public static let schemaVersion = 1

    /// A library that the program is built on or runs with.
    public struct License: Sendable, Equatable, Decodable {
        /// `libcurl`.
        public var name: String
        /// The version that is in use; nil where the library does not tell.
        public var version: String?
        /// The licence's SPDX name: `curl`, `Apache-2.0`.
        public var license: String
        /// Who holds the rights, and where the licence's whole text is found.
        public var text: String

        /// Makes a licence.
        public init(name: String, version: String?, license: String, text: String) {
            self.name = name
            self.version = version
            self.license = license
            self.text = text
        }
    }

    /// `0.3.0`.
    public var version: String
    /// The commit that it was built from.
    public var commit: String
    /// The bounds in force, by name.
    public var limits: [String: Int]
    /// The libraries.
    public var licenses: [License]
    /// Who made the program.
    public var authors: [String]
    /// Where the data come from, and that they are no offer.
    public var notice: String

    /// Makes the page.
    public init(
        version: String,
        commit: String,
        limits: [String: Int],
        licenses: [License],
        authors: [String],
        notice: String
    ) {
        self.version = version
        self.commit = commit
        self.limits = limits
        self.licenses = licenses
        self.authors = authors
        self.notice = notice
    }
}
