public import Domain

/// Presents version, limits and licenses of the program.
public struct AboutPresenter: Sendable {
    /// The program's version, `0.3.0`.
    public let version: String
    /// The commit of the build.
    public let commit: String
    /// How the program was installed: `package`, `tarball`, `image` or `build`.
    public let installation: String
    /// The limits in force, by name.
    public let limits: [String: Int]
    /// Versions of the libraries that report one.
    public let libraryVersions: [LinkedLibrary: String]

    /// Makes a presenter.
    public init(
        version: String,
        commit: String,
        installation: String,
        limits: [String: Int] = [:],
        libraryVersions: [LinkedLibrary: String] = [:]
    ) {
        self.version = version
        self.commit = commit
        self.installation = installation
        self.limits = limits
        self.libraryVersions = libraryVersions
    }

    /// Presents the page; it depends on the language only.
    public func present(_ language: Language) -> AboutViewState {
        AboutViewState(
            version: version,
            commit: commit,
            installation: installation,
            limits: limits,
            licenses: LinkedLibrary.allCases.map { library in
                AboutViewState.License(
                    name: library.name,
                    version: libraryVersions[library],
                    license: library.license,
                    text: Self.text(of: library, language)
                )
            },
            authors: ["hoga maintainers"],
            notice: Self.notice(language)
        )
    }

    private static func text(of library: LinkedLibrary, _ language: Language) -> String {
        let rights: String =
            if let holder = library.holder {
                LocalizedText(
                    ko: "저작권자: \(holder) 외",
                    en: "copyright: \(holder) and contributors"
                )[language]
            } else {
                LocalizedText(ko: "퍼블릭 도메인", en: "public domain")[language]
            }
        return rights + LocalizedText(ko: "; 전문: ", en: "; full text: ")[language]
            + library.licenseLocation
    }

    private static func notice(_ language: Language) -> String {
        LocalizedText(
            ko: """
                시세와 입출금 상태는 빗썸 공개 API의 데이터이며 지연되거나 정확하지 않을 수 있습니다. \
                모든 시각은 한국 표준시(KST)입니다. \
                투자 권유가 아니며, 이 프로그램은 주문 기능을 제공하지 않습니다. \
                빗썸과 제휴 관계가 없습니다.
                """,
            en: """
                Prices, deposit and withdrawal states come from Bithumb's public API and may be \
                delayed or inaccurate. All times are Korea Standard Time (KST). \
                Nothing here is investment advice, and this program never places orders. \
                It is not affiliated with Bithumb.
                """
        )[language]
    }
}
