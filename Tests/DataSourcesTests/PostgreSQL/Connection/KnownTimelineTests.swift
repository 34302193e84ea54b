import Testing

@testable import DataSourcesPostgreSQL

@Suite("A primary is compared with the timelines seen before")
struct KnownTimelineTests {
    @Test("an earlier timeline of the same cluster was replaced")
    func earlier() {
        var known = KnownTimeline()
        let answers = [3, 3, 2, 4, 3, 4].map { known.known(before: $0, of: 9) }
        #expect(answers == [nil, nil, 3, nil, 4, nil])
    }

    @Test("another cluster begins anew, and a standby tells nothing")
    func others() {
        var known = KnownTimeline()
        #expect(known.known(before: 5, of: 9) == nil)
        #expect(known.known(before: nil, of: 9) == nil)
        #expect(known.known(before: 4, of: 9) == 5)
        #expect(known.known(before: 1, of: -8) == nil)
        #expect(known.known(before: 1, of: 9) == nil)
    }
}
