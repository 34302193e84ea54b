public import Domain

extension MovingAverage: ExpressibleByIntegerLiteral {
    /// The simple average of a window.
    public init(integerLiteral window: Int) { self.init(.simple, window: window) }
}
