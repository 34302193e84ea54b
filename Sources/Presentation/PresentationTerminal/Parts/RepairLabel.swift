import Domain
import ViewStates

/// A label for a span of lost data that was read again, or could not be.
struct RepairLabel {
    /// How long a filled span is shown.
    private static let shownFor: Duration = .seconds(600)

    let repair: RepairViewState
    let now: Timestamp
    let language: Language

    /// The texts, longest first; empty for a filled span of earlier.
    var texts: [String] {
        guard let failure = repair.failure else {
            let isRecent = now.duration(since: repair.to) < Self.shownFor
            let word = DetailStrings.repaired[language]
            return isRecent ? [word + " " + span, word] : []
        }
        let word = DetailStrings.notRepaired[language]
        let reason = DetailStrings.repairFailure(failure)[language]
        return [word + " " + span + " · " + reason, word + " " + span, word]
    }

    /// The style of the label.
    var style: CellStyle {
        repair.failure == nil ? .dim : CellStyle(.error, emphasis: .bold)
    }

    /// The span, with dates if it began on another day.
    private var span: String {
        let isToday = SeoulTime(repair.from).day == SeoulTime(now).day
        return text(of: repair.from, isToday) + "–" + text(of: repair.to, isToday)
    }

    private func text(of time: Timestamp, _ isToday: Bool) -> String {
        let clock = TimeText.clock(time)
        return isToday ? clock : TimeText.date(time) + " " + clock
    }
}
