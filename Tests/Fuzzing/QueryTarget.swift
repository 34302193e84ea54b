import Domain
@testable import HTTPServer
@testable import PresentationHTTP
import ViewStates

extension FuzzTarget {
    /// Targets of requests: parameters are decoded once, every query is parsed to one within the
    /// documented bounds or to a problem, and costs at least a unit.
    func judgeQueries(_ input: FuzzInput) throws(FuzzFinding) {
        let bytes = input.bytes
        let mark = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        guard let query = RequestTarget.parameters(bytes[mark...].dropFirst()) else { return }
        try checkEncoding(query)
        for name in DocumentQuery.names {
            if let query = try? DocumentQuery(document: name, parameters: query) {
                try check(query)
            }
        }
        for name in UserDocumentQuery.names {
            _ = try? UserDocumentQuery(document: name, parameters: query)
        }
        _ = try? Language(documentParameters: query)
        guard let path = RequestTarget.path(bytes[..<mark]),
            let (route, place) = Route.find(path)
        else { return }
        let depths = [route.template, path].map { $0.utf8.count { $0 == UInt8(ascii: "/") } }
        try requireEqual(depths[0], depths[1], "the segments of \(path)")
        let request = HTTPServerRequest(
            method: "GET",
            path: path,
            query: query,
            remoteAddress: .fuzzer,
            headers: HeaderTable()
        )
        guard let parsed = RequestedQuery(route, place, request) else { return }
        try check(parsed)
    }

    /// Written as a form the parameters are the same.
    private func checkEncoding(_ query: [(name: String, value: String)]) throws(FuzzFinding) {
        let text = query.map { HTTPHead.encoded($0.name) + "=" + HTTPHead.encoded($0.value) }
            .joined(separator: "&")
        let again = RequestTarget.parameters(Array(text.utf8)[...])
        try require(again?.count == query.count, "the number of parameters of \(text)")
        for (left, right) in zip(again ?? [], query) {
            try require(
                left.name.utf8.elementsEqual(right.name.utf8)
                    && left.value.utf8.elementsEqual(right.value.utf8),
                "a parameter of \(text)"
            )
        }
    }

    private func check(_ parsed: RequestedQuery) throws(FuzzFinding) {
        switch parsed {
        case .document(.success(let query)), .stream(.success(let query)): try check(query)
        case .document(.failure(let problem)), .stream(.failure(let problem)),
            .userStream(.failure(let problem)):
            try check(problem)
        case .userStream(.success(let query)): if let market = query.market { try check(market) }
        case .user: break
        }
        for isGzip in [true, false] {
            try require(parsed.cost(isGzip: isGzip).units >= 1, "a query costs nothing")
        }
    }

    private func check(_ query: DocumentQuery) throws(FuzzFinding) {
        switch query {
        case .marketList(let list):
            try require((1...MarketListQuery.limitMax).contains(list.limit), "limit \(list.limit)")
            try require(list.offset >= 0, "offset \(list.offset)")
            try require((list.searchText?.unicodeScalars.count ?? 0) <= 100, "search text")
        case .marketDetail(let detail), .orderBook(let detail), .trades(let detail),
            .candles(let detail):
            try require((1...MarketDetailQuery.depthMax).contains(detail.depth), "depth")
            try require(detail.group.map { $0.sign > 0 } ?? true, "group")
            try require((1...MarketDetailQuery.tradesMax).contains(detail.tradeLimit), "trades")
            if case .newest(let count, _) = detail.candles {
                try require((1...MarketDetailQuery.candlesMax).contains(count), "candles")
            }
        case .assets(let assets):
            try require((assets.searchText?.unicodeScalars.count ?? 0) <= 100, "search text")
        case .snapshot: break
        }
    }

    /// A problem is JSON and repeats a bounded part of the request.
    func check(_ problem: Problem) throws(FuzzFinding) {
        try require(problem.code.status >= 400, "a problem of status \(problem.code.status)")
        try require(problem.detail.unicodeScalars.count < 2_000, "a long detail: \(problem.detail)")
        try requireJSON(problem.json(requestID: "fuzz"), "a problem")
        for field in problem.headers {
            try require(!field.value.utf8.contains { $0 < 0x20 }, "a header with controls")
        }
    }
}
