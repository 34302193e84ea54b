import Domain
import ViewStates

extension Route {
    /// Every address, in the order in which the contract tells them.
    static let all: [Route] =
        [read("/v1/markets", .marketList, MarketListQuery.parameterNames)]
        + DetailDocumentKind.allCases.map { kind in
            read(
                "/v1/markets/{market}" + (kind.pathPart.map { "/" + $0 } ?? ""),
                .detail(kind),
                kind.parameterNames
            )
        }
        + [
            read("/v1/assets", .assets, AssetsQuery.parameterNames),
            read("/v1/snapshot", .snapshot, SnapshotQuery.parameterNames),
            read("/v1/stream", .stream, streamParameterNames),
            read("/v1/about", .about, ["lang"]),
        ]
        + PersonalResource.allCases.map { resource in
            Route(
                template: "/v1/me" + resource.path,
                target: .personal(resource),
                methods: resource.methods,
                parameterNames: resource.parameterNames
            )
        }
        + [read("/openapi.json", .openAPI, [])]

    /// The parameters of a stream: those of whichever document it is of, but for pages.
    static let streamParameterNames = streamParameterNames(SnapshotQuery.parameterNames)

    /// Those of a user's stream.
    static let userStreamParameterNames = streamParameterNames(
        UserSnapshotQuery.parameterNames
    )

    private static func streamParameterNames(_ names: [String]) -> [String] {
        var names = names
        let documents =
            [MarketListQuery.parameterNames, AssetsQuery.parameterNames]
            + DetailDocumentKind.allCases.map(\.parameterNames)
        for name in documents.joined()
        where !names.contains(name) && !StreamQuery.pageNames.contains(name) {
            names.append(name)
        }
        return names
    }

    /// What is at a path; nil for nothing.
    ///
    /// - Parameter path: decoded already, but for escaped slashes, which part nothing.
    /// - Returns: the route, and the text at its placeholder.
    static func find(_ path: String) -> (route: Route, place: String?)? {
        if let route = fixed[path] { return (route, nil) }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        for open in open where open.parts.count == parts.count {
            var place: Substring?
            let isMatch = zip(open.parts, parts).allSatisfy { expected, part in
                guard expected.first == "{" else { return expected == part }
                place = part
                return !part.isEmpty
            }
            if isMatch { return (open.route, place.map(String.init)) }
        }
        return nil
    }

    private static func read(_ template: String, _ target: Target, _ names: [String]) -> Route {
        Route(template: template, target: target, methods: [.get], parameterNames: names)
    }

    /// Those without a placeholder, by their paths.
    private static let fixed = Dictionary(
        uniqueKeysWithValues: all.filter { !$0.template.contains("{") }.map { ($0.template, $0) }
    )
    /// Those with one, cut into parts.
    private static let open = all.filter { $0.template.contains("{") }.map { route in
        (
            route: route,
            parts: route.template.split(separator: "/", omittingEmptySubsequences: false)
        )
    }
}
