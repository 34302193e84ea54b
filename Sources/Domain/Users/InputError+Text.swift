extension InputError {
    /// What is wrong and what is taken instead, in English; never what was given.
    public var detail: String {
        switch reason {
        case .empty: "nothing was given"
        case .notANumber: "no plain decimal number, like 1500000 or 0.25"
        case .tooLarge(let max): "too large: at most \(max.canonicalText) is taken"
        case .tooManyDigits(let count): "at most \(count) digits behind the point are taken"
        case .zero: "it has to be more than zero"
        case .negative: "it has to be zero or more"
        case .tooLong(let count): "too long: at most \(count) characters are taken"
        case .unreadable: "it holds characters that cannot stand on a line"
        case .spacesAround: "it begins or ends with a space"
        case .noAsset: "no code of a coin, like BTC"
        case .unknownAsset(let nearest):
            "no coin of the exchange"
                + (nearest.isEmpty ? "" : "; near it are " + nearest.joined(separator: ", "))
        }
    }
}
