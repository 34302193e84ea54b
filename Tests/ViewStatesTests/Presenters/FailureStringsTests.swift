import Domain
import TestSupport
import Testing

@testable import ViewStates

@Suite("A remote screen translates the service's Korean failure messages")
struct FailureStringsTests {
    private static let details = ["", "status 5600, 점검 중", "502 – Bad Gateway"]

    private func hasHangul(_ text: String) -> Bool {
        text.unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) }
    }

    private func error(_ message: String) -> ErrorViewState {
        ErrorViewState(code: "any", message: message, retryable: true, nextRetryAt: nil)
    }

    @Test(
        "every failure is translated, alone and after a reconnection attempt",
        arguments: FeedFailure.Code.allCases,
        details
    )
    func failures(code: FeedFailure.Code, detail: String) {
        let failure = FeedFailure(code: code, detail: detail, isRetryable: true)
        var present = failure
        // The Korean message of malformed data has no detail to translate.
        if code == .malformed { present.detail = "" }
        let expected = FailureStrings.text(of: present, .english)
        let wanted = code == .malformed ? String(expected.dropLast(" – ".count)) : expected
        let korean = FailureStrings.text(of: failure, .korean)
        #expect(FailureStrings.translated(error(korean), to: .english).message == wanted)
        #expect(FailureStrings.translated(error(korean), to: .korean).message == korean)
        for number in [1, 10, 4_003] {
            let told = HealthPresenter.reconnecting(
                attempt: number,
                nextRetryAt: Timestamp(milliseconds: 0),
                failure: failure,
                .korean
            )
            let lead = "reconnecting (attempt \(number)): "
            #expect(FailureStrings.translated(told, to: .english).message == lead + wanted)
        }
    }

    @Test("attempts without a reason, silence and an unloaded store are translated")
    func others() {
        let alone = HealthPresenter.reconnecting(
            attempt: 3,
            nextRetryAt: Timestamp(milliseconds: 0),
            failure: nil,
            .korean
        )
        #expect(
            FailureStrings.translated(alone, to: .english).message == "reconnecting (attempt 3)"
        )
        for sentence in [FailureStrings.silence, FailureStrings.unread] {
            let told = FailureStrings.translated(error(sentence.ko), to: .english)
            #expect(told.message == sentence.en && !hasHangul(told.message))
        }
    }

    @Test(
        "an unknown message stays unchanged",
        arguments: ["", "새로운 오류", "재연결 중 (", "재연결 중 (9차)?", "연결 끊김!"]
    )
    func unknown(message: String) {
        #expect(FailureStrings.translated(error(message), to: .english).message == message)
    }
}
