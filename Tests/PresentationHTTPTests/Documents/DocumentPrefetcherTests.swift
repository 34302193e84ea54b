import HTTPServer
import ViewStates
import TestSupport
import Testing

@testable import Domain
@testable import PresentationHTTP

@Suite("Answers that are kept are counted with all their encodings, and their number is bounded")
struct DocumentPrefetcherTests {
    private static func query(_ limit: Int) -> DocumentQuery {
        var query = MarketListQuery()
        query.limit = limit
        return .marketList(query)
    }

    @Test("What somebody had compressed is counted, too")
    func bytes() {
        let bench = StreamFixture()
        let answers = DocumentPrefetcher(documents: bench.documents, latest: bench.latest)
        var expected = 0
        for limit in 1...DocumentPrefetcher.recountInterval {
            #expect(answers.size.bytes == expected)
            let answer = answers.answer(Self.query(limit))
            expected += answer.identity.byteCount
            if limit < DocumentPrefetcher.recountInterval { _ = answer.body(.gzip) }
        }
        for limit in 1..<DocumentPrefetcher.recountInterval {
            expected += answers.answer(Self.query(limit)).body(.gzip).byteCount
        }
        #expect(answers.size == (DocumentPrefetcher.recountInterval, expected))
    }

    @Test("A newer answer takes the place of the one before, in the count as well")
    func newer() {
        var bench = StreamFixture()
        let answers = DocumentPrefetcher(documents: bench.documents, latest: bench.latest)
        var answer = answers.answer(Self.query(1))
        for number in 1...3 * DocumentPrefetcher.recountInterval {
            _ = answer.body(.gzip)
            bench.wait(.seconds(1)) { $0.trade("BTC_KRW", at: FixedDecimal(Int64(number))) }
            answer = answers.answer(Self.query(1))
        }
        #expect(answers.size == (1, answer.identity.byteCount))
    }

    @Test("One more than may be kept, and all are made anew")
    func documents() {
        let bench = StreamFixture()
        let answers = DocumentPrefetcher(documents: bench.documents, latest: bench.latest)
        for limit in 1...1_000 { _ = answers.answer(Self.query(limit)) }
        var popular = MarketListQuery()
        popular.tab = .popular
        popular.quote = nil
        for limit in 1...DocumentPrefetcher.documentsMax - 1_000 {
            popular.limit = limit
            _ = answers.answer(.marketList(popular))
        }
        #expect(answers.size.documents == DocumentPrefetcher.documentsMax)
        popular.limit = 999
        let last = answers.answer(.marketList(popular))
        #expect(answers.size == (1, last.identity.byteCount))
    }
}
