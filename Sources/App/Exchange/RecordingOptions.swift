import Domain

/// What to record, how long, and how much to keep.
struct RecordingOptions: Sendable, Equatable {
    /// The sizes that a file may be bounded by: a megabyte to a terabyte.
    static let fileBytesRange = 1_000_000...1_000_000_000_000
    /// How many files may be kept.
    static let filesRange = 1...1_000
    /// How many markets may be recorded in detail.
    static let detailsMax = 50

    /// The newest file.
    var path: String
    /// The markets whose books, trades and candles are wanted too.
    var details: [MarketID]
    /// How long; nil until told to end.
    var duration: Duration?
    /// How much is kept.
    var bounds: RecordingFiles.Bounds

    /// Reads the flags.
    ///
    /// - Throws: ``ProgramError`` `usage`, naming the flag and what it may be.
    init(path: String, options: [CommandOption: String]) throws(ProgramError) {
        self.path = path
        details = try Self.details(options[.details] ?? "BTC_KRW")
        duration = try options[.duration].map(Self.duration)
        bounds = RecordingFiles.Bounds(
            fileBytesMax: try Self.number(
                options[.fileBytes] ?? "67108864",
                in: Self.fileBytesRange,
                of: .fileBytes
            ),
            filesMax: try Self.number(options[.files] ?? "8", in: Self.filesRange, of: .files)
        )
    }

    private static func details(_ text: String) throws(ProgramError) -> [MarketID] {
        var markets: [MarketID] = []
        for part in text.split(separator: ",") {
            guard let market = MarketID(anySpelling: String(part)) else {
                throw failure(.details, "must be names of markets like BTC_KRW,ETH_KRW")
            }
            if !markets.contains(market) { markets.append(market) }
        }
        guard markets.count <= detailsMax else {
            throw failure(.details, "must be at most \(detailsMax) markets")
        }
        return markets
    }

    private static func duration(_ text: String) throws(ProgramError) -> Duration {
        guard let duration = DurationText.duration(text), duration > .zero
        else {
            throw failure(.duration, "must be a time like 90s, 15m or 24h")
        }
        return duration
    }

    private static func number(
        _ text: String,
        in range: ClosedRange<Int>,
        of option: CommandOption
    ) throws(ProgramError) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw failure(option, "must be \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func failure(_ option: CommandOption, _ remedy: String) -> ProgramError {
        ProgramError(.usage, "\(option.rawValue): \(remedy)")
    }
}
