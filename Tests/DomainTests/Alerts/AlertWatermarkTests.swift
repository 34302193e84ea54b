import Domain
import TestSupport
import Testing

@Suite("A watermark finds each new alert of a record once")
struct AlertWatermarkTests {
    @Test("alerts of the first record are old, and later ones are new once")
    func news() {
        var watermark = AlertWatermark()
        #expect(watermark.number == nil)
        #expect(watermark.advance(to: .logged(1...3)) == nil)
        #expect(watermark.advance(to: .logged(1...3)) == nil)
        let news = watermark.advance(to: .logged(1...5))
        #expect(news?.alerts.map(\.number) == [5, 4] && news?.count == 2)
        #expect(watermark.advance(to: .logged(1...5)) == nil)
    }

    @Test("the first alert after an empty record is new")
    func fromEmpty() {
        var watermark = AlertWatermark()
        #expect(watermark.advance(to: UserAlerts()) == nil)
        #expect(watermark.advance(to: .logged(1...1))?.alerts.map(\.number) == [1])
    }

    @Test("an older record has no news, and its alerts do not become new again")
    func older() {
        var watermark = AlertWatermark()
        _ = watermark.advance(to: .logged(1...5))
        #expect(watermark.advance(to: .logged(1...2)) == nil)
        #expect(watermark.advance(to: UserAlerts()) == nil)
        #expect(watermark.advance(to: .logged(1...5)) == nil)
        #expect(watermark.advance(to: .logged(1...6))?.alerts.map(\.number) == [6])
    }

    @Test("a jump beyond what a record holds counts the missing ones")
    func jump() {
        var watermark = AlertWatermark()
        _ = watermark.advance(to: .logged(1...5))
        let news = watermark.advance(to: .logged(1...250))
        #expect(news?.alerts.map(\.number) == Array((151...250).reversed()))
        #expect(news?.count == 245)
    }

    @Test("a full log with an old alert has lost none, also where numbers have gaps")
    func gaps() {
        var watermark = AlertWatermark()
        _ = watermark.advance(to: .logged(1...100))
        var alerts = UserAlerts.logged(2...100)
        alerts.log.insert(.sample(900), at: 0)
        #expect(watermark.advance(to: alerts)?.count == 1)
    }
}
