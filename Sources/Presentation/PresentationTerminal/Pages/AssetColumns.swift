import Domain
import ViewStates

/// Places the columns of deposits and withdrawals, as wide as their longest state.
///
/// A folded row has the name in its first line and both labeled states in its second.
struct AssetColumns {
    private static let nameColumnsMax = 44
    /// The selection marker and a space.
    private static let markerColumns = 2

    let isFolded: Bool
    let name: Range<Int>
    let deposit: Range<Int>
    let withdrawal: Range<Int>
    /// The label of deposits in a folded row; empty in single-line rows.
    let depositWord: Range<Int>
    /// The label of withdrawals in a folded row.
    let withdrawalWord: Range<Int>

    init(_ rows: [AssetsViewState.Row], width: Int, isFolded: Bool, _ language: Language) {
        self.isFolded = isFolded
        let words = (
            deposit: TextWidth.columns(PageStrings.deposit[language]),
            withdrawal: TextWidth.columns(PageStrings.withdrawal[language])
        )
        // Includes the sort arrow.
        var states = (deposit: isFolded ? 0 : words.deposit + 1, withdrawal: 0)
        states.withdrawal = isFolded ? 0 : words.withdrawal + 1
        for row in rows {
            states.deposit = max(states.deposit, TextWidth.columns(row.depositText) + 2)
            states.withdrawal = max(states.withdrawal, TextWidth.columns(row.withdrawalText) + 2)
        }
        let start = Self.markerColumns
        if isFolded {
            name = start..<max(width, start)
            depositWord = start..<(start + words.deposit)
            deposit = (depositWord.upperBound + 1)..<(depositWord.upperBound + 1 + states.deposit)
            let next = deposit.upperBound + 2
            withdrawalWord = next..<(next + words.withdrawal)
            let last = withdrawalWord.upperBound + 1
            withdrawal = last..<(last + states.withdrawal)
        } else {
            let gap = 3
            let rest = width - start - states.deposit - states.withdrawal - 2 * gap
            name = start..<(start + min(max(rest, 0), Self.nameColumnsMax))
            deposit = (name.upperBound + gap)..<(name.upperBound + gap + states.deposit)
            let last = deposit.upperBound + gap
            withdrawal = last..<(last + states.withdrawal)
            depositWord = start..<start
            withdrawalWord = start..<start
        }
    }
}
