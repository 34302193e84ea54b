import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("The label of lost data")
struct RepairLabelTests {
    private static func label(
        _ failure: RepairViewState.Failure? = nil,
        now: Timestamp = .noon(60),
        _ language: Language = .english
    ) -> RepairLabel {
        let repair = RepairViewState(from: .noon(1), to: .noon(31), failure: failure)
        return RepairLabel(repair: repair, now: now, language: language)
    }

    @Test("a filled span is shown for ten minutes")
    func repaired() {
        let clock = TimeText.clock(.noon(1)) + "–" + TimeText.clock(.noon(31))
        #expect(Self.label().texts == ["repaired " + clock, "repaired"])
        #expect(Self.label(now: .noon(631)).texts.isEmpty)
        #expect(Self.label(.none, .korean).texts.last == "복구")
    }

    @Test(
        "a span that could not be filled keeps its reason and gets its dates",
        arguments: RepairViewState.Failure.allCases
    )
    func notRepaired(failure: RepairViewState.Failure) {
        let reason = DetailStrings.repairFailure(failure)[.english]
        let texts = Self.label(failure, now: .noon(86_400)).texts
        #expect(texts.count == 3 && texts[0].hasSuffix(" · " + reason))
        #expect(texts[0].contains(TimeText.date(.noon(1)) + " " + TimeText.clock(.noon(1))))
        #expect(texts[2] == "!not repaired")
    }
}
