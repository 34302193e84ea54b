import JSON
import ViewStates

/// The OpenAPI operation of one method at one path.
struct OpenAPIOperation: Sendable {
    let route: Route
    let method: Route.Method
    /// Whether this describes HEAD, which answers as GET without a body.
    var isHead = false

    /// The operation object.
    var json: JSONValue {
        let words = OperationStrings(route.target, method)
        var members: [JSONValue.Member] = [
            .init(
                "operationId",
                .string(isHead ? words.name + "Head" : words.name)
            ),
            .init("summary", .string(words.summary)),
            .init("tags", [.string(words.tag)]),
            .init("security", security),
        ]
        let parameters = parameters
        if !parameters.isEmpty {
            members.append(.init("parameters", .array(parameters)))
        }
        if let body = words.body {
            members.append(
                .init(
                    "requestBody",
                    [
                        "required": true,
                        "content": .object(
                            UserRequestBody.mediaTypes(method).map { type in
                                .init(type, ["schema": .schema(body)])
                            }
                        ),
                    ]
                )
            )
        }
        members.append(.init("responses", .object(responses(words))))
        return .object(members)
    }

    /// Public data need a token only if the service requires one.
    private var security: JSONValue {
        switch route.access {
        case .anyone: []
        case .data: [[:], ["bearer": []]]
        case .user: [["bearer": []]]
        }
    }

    // MARK: Parameters

    private var parameters: [JSONValue] {
        let names = route.template.split(separator: "/").filter { $0.first == "{" }
            .map { String($0.dropFirst().dropLast()) }
        return names.map { Self.described(OpenAPIParameters.path($0), $0, route) }
            + route.parameterNames(of: method).map(query) + headers
    }

    private func query(_ name: String) -> JSONValue {
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        let (document, plain) = parts.count == 2 ? (parts[0], parts[1]) : (documentName, name)
        let parameter = OpenAPIParameters.query(plain, of: document, isPersonal: isPersonal)
        return Self.described(parameter, name, route).with("name", .string(name))
    }

    /// A parameter's description; a test checks that every parameter has one.
    private static func described(
        _ parameter: JSONValue?,
        _ name: String,
        _ route: Route
    ) -> JSONValue {
        guard let parameter else {
            preconditionFailure("parameter \(name) of \(route.template) has no description")
        }
        return parameter
    }

    private var isPersonal: Bool { route.access == .user }

    /// The schema name of the route's document.
    private var documentName: String {
        switch route.target {
        case .marketList, .personal(.markets): MarketListViewState.schemaName
        case .detail(let kind): kind.rawValue
        case .assets: AssetsViewState.schemaName
        case .stream, .personal(.stream): OpenAPIParameters.stream
        case .snapshot: SnapshotViewState.schemaName
        case .about: AboutViewState.schemaName
        case .personal(.alertLog): AlertLogViewState.schemaName
        case .openAPI, .page, .personal: ""
        }
    }

    private var headers: [JSONValue] {
        switch (route.target, method) {
        case (.stream, _), (.personal(.stream), _):
            [Self.header("Last-Event-ID", "Resumes after this event if it is still known.")]
        case (.personal(.favorites), .put), (.personal(.settings), .patch),
            (.personal(.alert), .put), (.personal(.alert), .delete):
            [
                Self.header("If-Match", "The `ETag` of the version to change; `*` always matches.")
                    .with("required", true)
            ]
        case (_, .get): [Self.header("If-None-Match", "The `ETag`s of cached versions.")]
        case (_, .post), (_, .put), (_, .patch), (_, .delete): []
        }
    }

    private static func header(_ name: String, _ meaning: String) -> JSONValue {
        [
            "name": .string(name), "in": "header", "description": .string(meaning),
            "schema": ["type": "string"],
        ]
    }

    // MARK: Responses

    private func responses(_ words: OperationStrings) -> [JSONValue.Member] {
        var members = success(words)
        if method == .get, !isStream {
            let headers = (["ETag", "Cache-Control", "Vary", "X-Request-Id"] + ageHeader)
                .map(OpenAPIResponses.header)
            members.append(
                .init(
                    "304",
                    [
                        "description": "Not modified since a version in `If-None-Match`.",
                        "headers": .object(headers),
                    ]
                )
            )
        }
        return members
            + problems.map { .init("\($0)", OpenAPIResponses.reference($0)) }
    }

    private func success(_ words: OperationStrings) -> [JSONValue.Member] {
        guard let answer = words.answer else {
            return [
                .init(
                    "204",
                    [
                        "description": "Done. Repeating the request changes nothing.",
                        "headers": .object([OpenAPIResponses.header("X-Request-Id")]),
                    ]
                )
            ]
        }
        var names = [
            "ETag", "Cache-Control", "Vary", "RateLimit-Policy", "RateLimit", "X-Request-Id",
        ]
        names += ageHeader
        if method == .post { names.append("Location") }
        // The answer with a new token or secret is kept by no cache.
        if isSecret { names.removeFirst() }
        if isStream { names = ["Cache-Control", "X-Request-Id"] }
        var response: JSONValue = [
            "description": .string(words.answerMeaning),
            "headers": .object(names.map(OpenAPIResponses.header)),
        ]
        if !isHead { response = response.with("content", content(answer)) }
        return statuses.map { .init($0, response) }
    }

    /// The statuses of a success with a document.
    private var statuses: [String] {
        switch (route.target, method) {
        // The first webhook is made, others replace it.
        case (.personal(.webhook), .put): ["200", "201"]
        case (_, .post): ["201"]
        default: ["200"]
        }
    }

    /// Whether the response is shown once and kept by no cache.
    private var isSecret: Bool {
        switch (route.target, method) {
        case (.personal(.tokens), .post), (.personal(.webhook), .put): true
        default: false
        }
    }

    /// Only users' own data can be older than those of the store.
    private var ageHeader: [String] {
        method == .get && isPersonal ? ["Age"] : []
    }

    private func content(_ schema: JSONValue) -> JSONValue {
        let type = isStream ? "text/event-stream" : "application/json"
        var media: JSONValue = ["schema": schema]
        if let example = OpenAPIExamples.example(route.target, method) {
            media = media.with("example", example)
        }
        return .object([.init(type, media)])
    }

    private var isStream: Bool {
        switch route.target {
        case .stream, .personal(.stream): true
        case .marketList, .detail, .assets, .snapshot, .about, .openAPI, .page, .personal: false
        }
    }

    /// The possible error statuses, ascending.
    private var problems: [Int] {
        var codes: Set<ProblemCode> = [.invalidParameter, .rateLimited, .headerTooLarge, .internal]
        if route.access != .anyone {
            codes.formUnion([.unauthorized, .forbiddenScope, .storeUnavailable])
        }
        if route.template.contains("{") || route.parameterNames.contains("market")
            || route.target == .personal(.webhook)
        {
            codes.insert(.notFound)
        }
        if method == .get, route.parameterNames.contains(where: ["since", "revision"].contains) {
            codes.insert(.cursorExpired)
        }
        if method != .get { codes.formUnion([.bodyTooLarge, .readOnly]) }
        if OperationStrings(route.target, method).body != nil {
            codes.insert(.unsupportedMediaType)
        }
        switch (route.target, method) {
        case (.personal(.favorites), .put), (.personal(.settings), .patch),
            (.personal(.alert), .put), (.personal(.alert), .delete):
            codes.formUnion([.preconditionFailed, .preconditionRequired])
        default: break
        }
        return Set(codes.map(\.status)).sorted()
    }
}
