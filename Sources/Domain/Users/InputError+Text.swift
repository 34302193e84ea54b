extension InputError {
    /// The fault and the remedy, in English.
    ///
    /// Never contains the input.
    public var detail: String {
        switch reason {
        case .empty: "a value is missing"
        case .notANumber: "not a decimal number such as 1500000 or 0.25"
        case .tooLarge(let max): "too large: the maximum is \(max.canonicalText)"
        case .tooManyDigits(let count): "too precise: the maximum is \(count) decimal places"
        case .wonDecimals: "won have no decimals"
        case .zero: "must be above zero"
        case .negative: "must be zero or more"
        case .tooLong(let count): "too long: the maximum is \(count) characters"
        case .unreadable: "it contains unprintable characters"
        case .spacesAround: "it begins or ends with a space"
        case .noAsset: "not a coin code such as BTC"
        case .noAverage(let windows):
            "not an average such as EMA 50, of \(windows.lowerBound) to \(windows.upperBound)"
        case .noFileName: "not a file name that ends with .svg or .txt"
        case .unknownAsset(let nearest):
            "unknown coin"
                + (nearest.isEmpty ? "" : ". Did you mean " + nearest.joined(separator: ", ") + "?")
        }
    }
}
