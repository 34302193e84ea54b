import Domain
import ViewStates

/// Where the columns of deposits and withdrawals stand; the states' are as wide as the longest word
/// in them.
///
/// In a folded row the name has the first line for itself, and both states stand with their names
/// in the second.
struct AssetColumns {
    private static let nameColumnsMax = 44
    /// The mark of the selected row and a blank.
    private static let markerColumns = 2

    let isFolded: Bool
    let name: Range<Int>
    let deposit: Range<Int>
    let withdrawal: Range<Int>
    /// What a folded row calls its deposits; empty in a row of one line.
    let depositWord: Range<Int>
    /// What it calls its withdrawals.
    let withdrawalWord: Range<Int>

    init(_ rows: [AssetsViewState.Row], width: Int, isFolded: Bool, _ language: Language) {
        self.isFolded = isFolded
        let words = (
            deposit: TextWidth.columns(PageStrings.deposit[language]),
            withdrawal: TextWidth.columns(PageStrings.withdrawal[language])
        )
        // With room for the arrow of the column that sorts.
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
