public import Domain

/// Turns what the program knows of itself into the page that screen and JSON show.
public struct AboutPresenter: Sendable {
    /// The program's version, `0.3.0`.
    public let version: String
    /// The commit that it was built from.
    public let commit: String
    /// The bounds in force, by name.
    public let limits: [String: Int]
    /// The versions of those libraries that tell theirs.
    public let libraryVersions: [LinkedLibrary: String]

    /// Makes a presenter.
    public init(
        version: String,
        commit: String,
        limits: [String: Int] = [:],
        libraryVersions: [LinkedLibrary: String] = [:]
    ) {
        self.version = version
        self.commit = commit
        self.limits = limits
        self.libraryVersions = libraryVersions
    }

    /// Presents the page; it is always the same in one language.
    public func present(_ language: Language) -> AboutViewState {
        AboutViewState(
            version: version,
            commit: commit,
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
                LocalizedText(ko: "저작권자: \(holder) 외", en: "rights: \(holder) and contributors")[
                    language
                ]
            } else {
                LocalizedText(ko: "저작자들이 저작권을 포기함", en: "its authors have given up their rights")[
                    language
                ]
            }
        return rights + LocalizedText(ko: "; 전문: ", en: "; whole text: ")[language]
            + library.licenseLocation
    }

    private static func notice(_ language: Language) -> String {
        LocalizedText(
            ko: """
                시세와 입출금 상태는 빗썸의 공개 API에서 받은 것이며 늦거나 틀릴 수 있습니다. \
                시각은 모두 서울 시간(Asia/Seoul)입니다. \
                투자 권유나 매매 제안이 아니며, 이 프로그램은 주문을 내지 않습니다. \
                빗썸과는 관계가 없습니다.
                """,
            en: """
                Prices and deposit and withdrawal states come from Bithumb's public API and may \
                be late or wrong. All times are those of Seoul (Asia/Seoul). \
                Nothing here is an offer or advice, and this program places no orders. \
                It is not affiliated with Bithumb.
                """
        )[language]
    }
}
