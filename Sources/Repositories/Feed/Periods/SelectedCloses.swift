import Concurrency
public import DataSourceContracts

/// Selects the closes of the generation that has the candles.
public struct SelectedCloses: Sendable {
    private let readers: [APIGeneration: CloseReader]
    private let selector: GenerationSelector

    /// Makes a selection; it needs a reader for each generation of the selector.
    public init(_ readers: [APIGeneration: CloseReader], selector: GenerationSelector) {
        self.readers = readers
        self.selector = selector
    }

    /// The reader that is in use now.
    public var reader: CloseReader {
        guard let reader = readers[selector.use.value.primary] else {
            preconditionFailure("Each generation in use has a reader.")
        }
        return reader
    }
}
