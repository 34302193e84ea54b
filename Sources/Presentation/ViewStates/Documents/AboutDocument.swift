/// The document `about`, version 1: version, limits and licenses of the program.
public typealias AboutDocument = Document<AboutViewState>

/// 더보기: version, limits, licenses and the data notice.
public struct AboutViewState: DocumentState {
    /// `about`.
    public static let schemaName = "about"

    /// A library that is part of the program, or that it loads.
    public struct License: DocumentObject {
        /// `libcurl`.
        public var name: String
        /// The version in use; nil if the library does not report it.
        public var version: String?
        /// The license's SPDX name: `curl`, `Apache-2.0`.
        public var license: String
        /// The copyright holder, and where to find the full license text.
        public var text: String

        /// The members.
        public static func listFields(_ fields: inout some FieldList<Self>) {
            fields.object("License", "A library that is part of the program, or that it loads.")
            fields.add("name", \.name)
            fields.add("version", \.version)
            fields.add("license", \.license, note: "The SPDX name.")
            fields.add("text", \.text)
        }
    }

    /// `0.3.0`.
    public var version: String
    /// The commit of the build.
    public var commit: String
    /// How the program was installed: `package`, `tarball`, `image` or `build`; nil from versions
    /// before 0.2.0.
    public var installation: String?
    /// The limits in force, by name.
    public var limits: [String: Int]
    /// The libraries.
    public var licenses: [License]
    /// The authors.
    public var authors: [String]
    /// The source of the data, and a disclaimer.
    public var notice: String

    /// About 300 bytes a library.
    public var estimatedJSONSize: Int { 1_024 + licenses.count * 300 }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("AboutState", "Version, limits and licenses of the program.")
        fields.add("version", \.version)
        fields.add("commit", \.commit)
        fields.optional(
            "installation",
            \.installation,
            note: "How hoga was installed: package, tarball, image or build."
        )
        fields.add("limits", \.limits, note: "The limits in force, by name.")
        fields.add("licenses", \.licenses)
        fields.add("authors", \.authors)
        fields.add("notice", \.notice)
    }
}
