import Domain

/// The options of a recording: markets, duration and file sizes.
struct RecordingOptions: Sendable, Equatable {
    /// The accepted file sizes, 1 MB to 1 TB.
    static let fileBytesRange = 1_000_000...1_000_000_000_000
    /// The accepted number of files.
    static let filesRange = 1...1_000
    /// The maximum number of markets with details.
    static let detailsMax = 50

    /// The newest file.
    var path: String
    /// The markets whose order book, trades and candles are recorded too.
    var details: [MarketID]
    /// The duration; nil until interrupted.
    var duration: Duration?
    /// The size and number of files.
    var bounds: RecordingFiles.Bounds

    /// Reads the flags.
    ///
    /// - Throws: ``ProgramError`` `usage`, naming the flag and the accepted values.
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
            let market = try MarketArgument.market(
                String(part),
                of: CommandOption.details.flag
            )
            if !markets.contains(market) { markets.append(market) }
        }
        guard markets.count <= detailsMax else {
            throw failure(.details, "must have at most \(detailsMax) markets")
        }
        return markets
    }

    private static func duration(_ text: String) throws(ProgramError) -> Duration {
        guard let duration = DurationText.duration(text), duration > .zero
        else {
            throw failure(.duration, "must be a duration like 90s, 15m or 24h")
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
        ProgramError(.usage, "\(option.flag) \(remedy)")
    }
}
