extension LineSegment {
    /// What is searched for; wide as there is room, its end at least.
    static func searchField(_ text: String, isTyping: Bool, width: Int) -> LineSegment {
        let style: CellStyle = isTyping ? .bold : .plain
        // The end is what matters: that is where somebody types.
        let variants = [width, 20, 10, 6].map { columns in
            [Span("/" + TextWidth.end(of: text, in: columns), style)]
        }
        return LineSegment(variants, rank: isTyping ? 0 : 1, hasCursor: isTyping)
    }
}

extension Span {
    /// The name of a tab or filter; the open one is marked by more than its style.
    static func tab(_ name: String, isOpen: Bool, target: ScreenTarget? = nil) -> Span {
        isOpen
            ? Span("[\(name)]", CellStyle(emphasis: [.bold, .underline]), target: target)
            : Span(" \(name) ", target: target)
    }
}
