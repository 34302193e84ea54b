/// Writes an SVG document: well-formed XML, whatever the texts are.
struct SVGDocument {
    private static let fontFamily = "'D2Coding','Noto Sans Mono CJK KR',monospace"

    private var lines: [String]
    private var clips = 0

    /// A white picture of a size in pixels; screen readers read the title.
    init(width: Int, height: Int, title: String) {
        lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(width)" height="\#(height)" "#
                + #"viewBox="0 0 \#(width) \#(height)" font-family="\#(Self.fontFamily)" "#
                + #"font-size="13">"#,
            "<title>\(Self.escaped(title))</title>",
            ##"<rect width="100%" height="100%" fill="#ffffff"/>"##,
        ]
    }

    /// The document.
    var text: String { lines.joined(separator: "\n") + "\n</svg>\n" }

    mutating func line(
        x: Int,
        y: Int,
        toX endX: Int,
        y endY: Int,
        color: String,
        isDashed: Bool = false
    ) {
        let dash = isDashed ? #" stroke-dasharray="4 4""# : ""
        lines.append(
            #"<line x1="\#(x)" y1="\#(y)" x2="\#(endX)" y2="\#(endY)" stroke="\#(color)"\#(dash)/>"#
        )
    }

    mutating func rectangle(x: Int, y: Int, width: Int, height: Int, color: String) {
        let size = #"width="\#(width)" height="\#(height)""#
        lines.append(#"<rect x="\#(x)" y="\#(y)" \#(size) fill="\#(color)"/>"#)
    }

    /// A line through points; nothing for fewer than two.
    mutating func polyline(_ points: [(x: Int, y: Int)], color: String, width: Int) {
        guard points.count > 1 else { return }
        let places = points.map { "\($0.x),\($0.y)" }.joined(separator: " ")
        lines.append(
            #"<polyline points="\#(places)" fill="none" stroke="\#(color)" "#
                + #"stroke-width="\#(width)"/>"#
        )
    }

    mutating func text(_ text: String, x: Int, y: Int, color: String, isBold: Bool = false) {
        let weight = isBold ? #" font-weight="bold""# : ""
        let content = Self.escaped(text)
        lines.append(#"<text x="\#(x)" y="\#(y)" fill="\#(color)"\#(weight)>\#(content)</text>"#)
    }

    /// One line of texts of several colors; blanks stay as they are.
    mutating func text(_ spans: [(text: String, color: String)], x: Int, y: Int) {
        let parts = spans.map { span in
            #"<tspan fill="\#(span.color)">\#(Self.escaped(span.text))</tspan>"#
        }
        lines.append(#"<text x="\#(x)" y="\#(y)" xml:space="preserve">\#(parts.joined())</text>"#)
    }

    /// What follows is drawn inside a rectangle only, until ``endClip()``.
    mutating func beginClip(x: Int, y: Int, width: Int, height: Int) {
        clips += 1
        lines.append(
            #"<clipPath id="clip\#(clips)"><rect x="\#(x)" y="\#(y)" width="\#(width)" "#
                + #"height="\#(height)"/></clipPath><g clip-path="url(#clip\#(clips))">"#
        )
    }

    mutating func endClip() { lines.append("</g>") }

    /// A text inside an element: markup is escaped, characters that XML 1.0 forbids are replaced.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}":
                result.unicodeScalars.append("\u{FFFD}")
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
