import Domain
import Testing

@Suite("The reference integers are correct")
struct NaiveIntegerTests {
    @Test(
        "sums equal results computed by hand",
        arguments: [
            ("0", "0", "0", "0", "0"),
            ("1", "-1", "0", "2", "-1"),
            ("999", "1", "1000", "998", "999"),
            ("-5", "7", "2", "-12", "-35"),
            ("1000", "-1", "999", "1001", "-1000"),
            ("123456789", "987654321", "1111111110", "-864197532", "121932631112635269"),
        ]
    )
    func arithmetic(left: String, right: String, sum: String, difference: String, product: String) {
        let (a, b) = (NaiveInteger(text: left), NaiveInteger(text: right))
        #expect((a + b).text == sum)
        #expect((a - b).text == difference)
        #expect((a * b).text == product)
    }

    @Test(
        "quotients and rounding equal results computed by hand",
        arguments: [
            ("7", "2", "3", "4", "4", "4"),
            ("5", "2", "2", "3", "3", "2"),
            ("-5", "2", "-2", "-3", "-3", "-2"),
            ("-7", "-3", "2", "3", "2", "2"),
            ("0", "9", "0", "0", "0", "0"),
            ("1", "3", "0", "1", "0", "0"),
            ("100", "10", "10", "10", "10", "10"),
        ]
    )
    func division(
        value: String,
        divisor: String,
        truncated: String,
        away: String,
        halfAway: String,
        halfEven: String
    ) {
        let (a, b) = (NaiveInteger(text: value), NaiveInteger(text: divisor))
        #expect(a.divided(by: b, rounding: .truncate).text == truncated)
        #expect(a.divided(by: b, rounding: .awayFromZero).text == away)
        #expect(a.divided(by: b, rounding: .halfAwayFromZero).text == halfAway)
        #expect(a.divided(by: b, rounding: .halfEven).text == halfEven)
    }
}
