import Foundation

/// The parts of a screen that keys change.
extension ScreenText {
    /// The row of the mark.
    var mark: Int? { lines.firstIndex { $0.hasPrefix("›") } }
    /// The row that is marked, without the mark itself.
    var marked: String { mark.map { String(lines[$0].dropFirst()) } ?? "" }
    /// The name in the marked row, after the star.
    var markedName: Substring { marked.dropFirst().prefix(6) }
    /// The name and the coin in the marked row; names alone may begin alike.
    var markedMarket: Substring { marked.dropFirst().prefix { $0 != "/" } }
    /// The name in the row below the marked one.
    var nameBelowMark: Substring { mark.map { lines[$0 + 1].dropFirst(2).prefix(6) } ?? "" }
    /// The row of the mark in a panel.
    var panelMark: Int? { lines.firstIndex { $0.contains("│ › ") } }
    /// The line below all others.
    var bottom: String { lines.last ?? "" }
    /// The line with tabs, the search and the order.
    var tabs: String { lines.count > 1 ? lines[1] : "" }
    /// The order of the list, with its direction.
    var order: Substring { tabs.range(of: "정렬").map { tabs[$0.lowerBound...] } ?? "" }
    /// Whether this is the list, with nothing over it.
    var isList: Bool { title.hasPrefix("hoga 거래소") && bottom.hasPrefix("Enter 열기") }
    /// Whether the help has the keys: alone in the bottom line they scroll and close it.
    var showsHelp: Bool { bottom.contains(/^(?:↑? ?↓? ?더 보기  )?Esc 닫기/) }
    /// The line above all others.
    var title: String { lines.first ?? "" }

    /// Whether the title is that of a market; a mark of the exchange may take its English name's
    /// place.
    func isTitle(of name: String, _ market: String) -> Bool {
        title.contains(name) && title.contains(market)
    }

    /// A row without its prices.
    func row(_ index: Int) -> Substring {
        lines.indices.contains(index) ? lines[index].prefix(12) : ""
    }

    /// Whether these are holdings, of bitcoin first.
    var holdsBitcoin: Bool { title.hasPrefix("hoga 보유자산") && row(3).contains("비트코인") }

    // MARK: Details

    /// The row between asks and bids; 0 if the asks are out of sight.
    var spread: Int { lines.firstIndex { $0.contains("─ 호가차") } ?? 0 }
    /// The number of levels on each side of the book.
    var levels: Int {
        let words = pane.split(separator: " ")
        return words.lazy.compactMap { word in
            word.hasSuffix("호가") ? Int(word.dropLast(2)) : nil
        }.first ?? 0
    }
    /// The price step of the book.
    var step: Int {
        guard let range = pane.range(of: "모아보기 ") else { return 0 }
        return Self.number(pane[range.upperBound...].prefix { $0 != " " }) ?? 0
    }
    /// The line with the panes and the title of the open one.
    var pane: String { lines.count > 2 ? lines[2] : "" }
    /// The chart's text about the candle at the cross-hair.
    var candle: Substring { lines.count > 3 ? lines[3].prefix(6) : "" }
    /// The days below the chart.
    var days: String { lines.count > 2 ? lines[lines.count - 2] : "" }
    /// The row above the volume.
    var volume: Int? { lines.firstIndex { $0.hasPrefix("거래량") } }
    /// Whether candles stand in the chart.
    var hasCandles: Bool {
        lines.dropFirst(4).prefix(volume.map { max($0 - 4, 0) } ?? 0).contains {
            $0.contains { "█┃║╻╹╥╨╫╽╿".contains($0) }
        }
    }

    // MARK: Times

    /// The clock of the title, in seconds since midnight.
    var clock: Int { Self.seconds(title) ?? 0 }
    /// When deposits were read.
    var readAt: Int { Self.seconds(tabs) ?? 0 }

    private static func seconds(_ line: String) -> Int? {
        for word in line.split(separator: " ") {
            let parts = word.split(separator: ":").compactMap { Int($0) }
            if parts.count == 3 { return (parts[0] * 60 + parts[1]) * 60 + parts[2] }
        }
        return nil
    }

    private static func number(_ text: Substring) -> Int? {
        Int(text.filter { $0.isNumber })
    }
}
