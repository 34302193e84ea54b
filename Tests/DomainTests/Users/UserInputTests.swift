import Domain
import TestSupport
import Testing

@Suite("User input is parsed exactly or rejected with a reason")
struct UserInputTests {
    @Test(
        "an amount is parsed exactly, with surrounding spaces and thousands separators",
        arguments: [
            ("0", "0"), ("1500000", "1500000"), (" 1,500,000 ", "1500000"), ("0.50", "0.5"),
            ("007", "7"), ("1,000.25", "1000.25"), ("1000000000000000", "1000000000000000"),
            ("0.000000000000000001", "0.000000000000000001"),
        ]
    )
    func amounts(text: String, expected: String) throws {
        #expect(try UserInput.cash(text).canonicalText == expected)
    }

    @Test(
        "an invalid amount is rejected with its reason",
        arguments: [
            ("", InputError.Reason.empty), ("   ", .empty), ("abc", .notANumber),
            ("1e400", .notANumber), ("-1", .negative), ("-0.5", .negative), ("--1", .notANumber),
            ("-", .notANumber), ("-x", .notANumber), ("+1", .notANumber), (".5", .notANumber),
            ("5.", .notANumber), ("1,2,3", .notANumber), (",100", .notANumber),
            ("1,0000", .notANumber), ("1.2.3", .notANumber), ("１２", .notANumber),
            ("1 000", .notANumber), ("0x10", .notANumber), ("NaN", .notANumber),
            ("1\u{0}", .notANumber), ("1\n2", .notANumber),
            ("0.0000000000000000001", .tooManyDigits(18)),
            ("1000000000000000.01", .tooLarge(UserInput.cashMax)),
            (String(repeating: "9", count: 1_000_000), .tooLarge(UserInput.cashMax)),
        ]
    )
    func refusedAmounts(text: String, reason: InputError.Reason) {
        let refusal = #expect(throws: InputError.self) { try UserInput.cash(text) }
        #expect(refusal?.reason == reason)
    }

    @Test(
        "cash entered by a person is whole won; decimals are refused with the reason",
        arguments: [
            ("1,500,000", nil), ("0", nil), ("1500000.00", nil), ("0.5", .wonDecimals),
            ("1,000,000.5", .wonDecimals), ("999999999999999.9", .wonDecimals),
            ("x", InputError.Reason.notANumber), ("-0.5", .negative),
        ]
    )
    func wholeCash(text: String, reason: InputError.Reason?) {
        do throws(InputError) {
            let amount = try UserInput.wholeCash(text)
            #expect(reason == nil)
            #expect(!amount.canonicalText.contains("."))
        } catch {
            #expect(error.reason == reason)
        }
    }

    @Test("a quantity is above zero and bounded; an average price may be zero or unknown")
    func quantities() throws {
        for text in ["0.000", "-1"] {
            #expect(throws: InputError(.zero)) { try UserInput.quantity(text) }
        }
        #expect(throws: InputError(.tooLarge(UserInput.quantityMax))) {
            try UserInput.quantity("1000000000001")
        }
        #expect(try UserInput.averagePrice(" ") == nil)
        #expect(try UserInput.averagePrice("0") == .zero)
    }

    @Test(
        "a coin's symbol is parsed in any case",
        arguments: [("btc", "BTC"), (" SUN_OLD ", "SUN_OLD"), ("1inch", "1INCH")]
    )
    func assets(text: String, symbol: String) throws {
        #expect(try UserInput.asset(text).symbol == symbol)
    }

    @Test(
        "text that is not a coin's symbol is rejected",
        arguments: [
            "KRW", "krw", "BTC_KRW", "eth_btc", "BTC-KRW", "비트코인", "B TC", "BTC\u{0}",
            "ABCDEFGHIJKLMNOPQRSTU", "ı",
        ]
    )
    func refusedAssets(text: String) {
        #expect(throws: InputError(.noAsset)) { try UserInput.asset(text) }
    }

    @Test("a display name is trimmed and keeps Hangul and emoji; a blank one is nil")
    func names() throws {
        #expect(try UserInput.displayName("  미나 🦊 ") == "미나 🦊")
        #expect(try UserInput.displayName("   ") == nil)
        let longest = String(repeating: "각", count: UserInput.displayNameMax)
        #expect(try UserInput.displayName(longest) == longest)
    }

    @Test(
        "an invalid display name is rejected with its reason",
        arguments: [
            ("a\u{0}b", InputError.Reason.unreadable), ("a\nb", .unreadable),
            ("a\u{202E}b", .unreadable), ("a\u{1B}[2J", .unreadable), ("\u{2028}", .unreadable),
            (String(repeating: "가", count: 41), .tooLong(40)),
            ("e" + String(repeating: "\u{301}", count: 300), .tooLong(40)),
            (String(repeating: "a", count: 1_048_576), .tooLong(40)),
        ]
    )
    func refusedNames(text: String, reason: InputError.Reason) {
        let refusal = #expect(throws: InputError.self) { try UserInput.displayName(text) }
        #expect(refusal?.reason == reason)
    }

    @Test("a token's note is trimmed, and rejected if it is too long or unprintable")
    func notes() throws {
        #expect(try UserInput.note("  거실 \\ 🦊 ") == "거실 \\ 🦊")
        #expect(try UserInput.note("   ") == nil)
        let longest = String(repeating: "각", count: UserInput.noteMax)
        #expect(try UserInput.note(longest) == longest)
        for (text, reason) in [
            (longest + "각", InputError.Reason.tooLong(UserInput.noteMax)),
            ("e" + String(repeating: "\u{301}", count: 300), .tooLong(UserInput.noteMax)),
            ("a\nb", .unreadable),
        ] {
            let refusal = #expect(throws: InputError.self) { try UserInput.note(text) }
            #expect(refusal?.reason == reason)
        }
    }

    @Test(
        "a user name is kept byte for byte",
        arguments: ["kim", "김 미나", "a.b@example.com", "-x", String(repeating: "각", count: 64)]
    )
    func userNames(text: String) throws {
        #expect(try UserInput.userName(text).utf8.elementsEqual(text.utf8))
    }

    @Test(
        "an invalid user name is rejected with its reason",
        arguments: [
            ("", InputError.Reason.empty), (" ", .spacesAround), (" kim", .spacesAround),
            ("kim ", .spacesAround), ("\u{3000}kim", .spacesAround), ("a\u{0}b", .unreadable),
            ("kim\n", .unreadable), ("\u{202E}mik", .unreadable), ("a\u{200B}", .unreadable),
            (String(repeating: "가", count: 65), .tooLong(64)),
            ("e" + String(repeating: "\u{301}", count: 200), .tooLong(64)),
        ]
    )
    func refusedUserNames(text: String, reason: InputError.Reason) {
        #expect(throws: InputError(reason)) { try UserInput.userName(text) }
        #expect(!InputError(reason).detail.isEmpty)
    }
}
