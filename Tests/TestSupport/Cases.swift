import Foundation

/// How many cases a test with many similar ones tries: few in `make test`, all in `make check`.
///
/// `make check` sets the variable `HOGA_ALL_CASES` and runs the suites with the tag `manyCases`.
public enum Cases: Sendable {
    private static let areAll = ProcessInfo.processInfo.environment["HOGA_ALL_CASES"] != nil

    /// The seeds of random input, from 0.
    ///
    /// - Parameters:
    ///   - few: their number in `make test`.
    ///   - all: their number in `make check`.
    /// - Returns: the seeds.
    public static func seeds(_ few: UInt64, of all: UInt64) -> Range<UInt64> {
        0..<(areAll ? all : few)
    }

    /// Widths of a screen.
    ///
    /// - Parameter all: the smallest and the largest.
    /// - Returns: every seventh of them in `make test`, and all in `make check`.
    public static func widths(_ all: ClosedRange<Int>) -> [Int] {
        Array(stride(from: all.lowerBound, through: all.upperBound, by: areAll ? 1 : 7))
    }
}
