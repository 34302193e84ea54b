import ViewStates
import WebPage

/// The responses of the page's routes: the page itself, the same at each of its addresses, and its
/// files, below a path that changes with their content.
struct PageResponses: Sendable {
    private let index: RouteResponse
    private let files: [String: RouteResponse]

    /// Makes the responses of a page; bodies are compressed on first use.
    init(_ page: WebPage) {
        index = Self.response(page.index, build: page.build, scope: .anyone)
        files = Dictionary(
            uniqueKeysWithValues: page.files.map { file in
                let response = Self.response(file, build: page.build, scope: .fixed)
                return ("/web/\(page.build)/\(file.name)", response)
            }
        )
    }

    /// The response of a route of the page.
    ///
    /// - Parameters:
    ///   - target: the route's target.
    ///   - path: the request's path.
    /// - Returns: nil if the path names no file of this build.
    func response(_ target: Route.PageTarget, _ path: String) -> RouteResponse? {
        switch target {
        case .index: index
        case .file: files[path]
        }
    }

    /// The browser loads nothing from elsewhere, runs nothing that is not a file of the page, and
    /// shows the page in no frame.
    static let contentSecurityPolicy =
        [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'",
            "img-src 'self' data:", "base-uri 'none'", "form-action 'none'",
            "frame-ancestors 'none'", "require-trusted-types-for 'script'",
        ]
        .joined(separator: "; ")

    private static func response(
        _ file: WebPage.File,
        build: String,
        scope: CacheableDocument.Scope
    ) -> RouteResponse {
        let document = EncodedDocument(revision: build, tag: "\(build).\(file.name)") { file.bytes }
        return RouteResponse(
            status: 200,
            content: .document(
                CacheableDocument(document: document, scope: scope, mediaType: file.mediaType)
            ),
            headers: [
                (name: ContentProtection.noContent.name, value: contentSecurityPolicy),
                (name: "Cross-Origin-Opener-Policy", value: "same-origin"),
                (name: "Cross-Origin-Resource-Policy", value: "same-origin"),
                (name: "Referrer-Policy", value: "no-referrer"),
            ]
        )
    }
}
