import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("Random keys on screens of random sizes", .tags(.manyCases))
struct EveryScreenTests {
    private static let hangul: [ClosedRange<UInt32>] = [
        0x1100...0x11FF, 0x3130...0x318F, 0xAC00...0xD7A3,
    ]

    private func hasHangul(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            Self.hangul.contains { $0.contains(scalar.value) }
        }
    }

    @Test(
        "Names of every script keep each line at screen width",
        arguments: Cases.seeds(16, of: 40)
    )
    func widths(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let rows = AppearanceSamples.rows(&generator)
        let language: Language = seed % 2 == 0 ? .korean : .english
        let look = ScreenAppearance(language: language)
        let frames = AppearanceSamples.walk(seed: seed, rows: rows, look: look)
        #expect(frames.count > 8)
        for frame in frames {
            for line in frame.lines {
                #expect(TextWidth.columns(line) == frame.size.columns)
                #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
                #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .format })
            }
        }
    }

    @Test("ASCII screens contain ASCII only", arguments: Cases.seeds(16, of: 40))
    func ascii(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let rows = AppearanceSamples.rows(&generator)
        for frame in AppearanceSamples.walk(seed: seed, rows: rows, characters: .ascii) {
            for line in frame.lines {
                #expect(TextWidth.isPrintableASCII(line) && line.utf8.count == frame.size.columns)
            }
        }
    }

    @Test("ASCII screens omit names without an ASCII form", arguments: Cases.seeds(10, of: 20))
    func asciiNames(seed: UInt64) {
        let rows = AppearanceSamples.named(isKorean: true)
        let frames = AppearanceSamples.walk(seed: seed, rows: rows, characters: .ascii)
        for line in frames.flatMap(\.lines) where line.contains("Coin ") {
            #expect(!line.contains("??"), "\(line)")
        }
    }

    @Test("English screens contain no Korean word", arguments: Cases.seeds(16, of: 40))
    func english(seed: UInt64) {
        let frames = AppearanceSamples.walk(
            seed: seed,
            rows: AppearanceSamples.named(isKorean: false),
            look: ScreenAppearance(language: .english),
            without: [.character("l")],
            prepare: englishOnly
        )
        for line in frames.flatMap(\.lines) { #expect(!hasHangul(line), "\(line)") }
    }

    /// Removes names that exist in Korean only.
    private func englishOnly(_ model: ScriptedModel) {
        model.changeDetail { state in
            state.header.name.ko = nil
        }
        model.keep(PageSamples.personal { $0.profile.value.displayName = "Me" })
    }
}
