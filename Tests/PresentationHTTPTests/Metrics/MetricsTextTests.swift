import HTTPServer
import Testing

@testable import PresentationHTTP

@Suite("Prometheus text format")
struct MetricsTextTests {
    private func text(_ families: MetricFamily...) -> String {
        String(decoding: Metrics([{ families }]).text, as: UTF8.self)
    }

    @Test("a metric has help, type and a line per sample")
    func lines() {
        let family = MetricFamily(
            "hoga_things_total",
            .counter,
            "Things.",
            [
                .init(3, labels: [.init("kind", "a"), .init("status", "200")]),
                .init(0.25, labels: [.init("kind", "b")]), .init(7, suffix: "_count"),
            ]
        )
        #expect(
            text(family) == """
                # HELP hoga_things_total Things.
                # TYPE hoga_things_total counter
                hoga_things_total{kind="a",status="200"} 3
                hoga_things_total{kind="b"} 0.25
                hoga_things_total_count 7

                """
        )
    }

    @Test("unsent bytes have their bound and the closed connections of both limits")
    func unsent() {
        let status = UnsentBytes(bytesMax: 1_000).status
        let lines = String(
            decoding: Metrics([{ ProcessMetrics.unsent(status, bytesMax: 1_000) }]).text,
            as: UTF8.self
        )
        .split(separator: "\n")
        .filter { !$0.hasPrefix("#") }
        #expect(
            lines == [
                "hoga_unsent_bytes 0", "hoga_unsent_bytes_max 1000",
                #"hoga_unsent_closed_total{limit="client"} 0"#,
                #"hoga_unsent_closed_total{limit="total"} 0"#,
            ]
        )
    }

    @Test("an unknown value is listed without samples")
    func unknown() {
        #expect(
            text(MetricFamily("hoga_age_seconds", .gauge, "Age.", nil)) == """
                # HELP hoga_age_seconds Age.
                # TYPE hoga_age_seconds gauge

                """
        )
    }

    @Test(
        "a label of any characters stays on its line and inside its quotes",
        arguments: [
            (#"a"b"#, #"a\"b"#), (#"a\b"#, #"a\\b"#), ("a\nb", #"a\nb"#), ("가}", "가}"),
            (#"\n"#, #"\\n"#),
        ]
    )
    func escaping(value: String, written: String) {
        let family = MetricFamily("hoga_x", .gauge, "X.", [.init(1, labels: [.init("l", value)])])
        #expect(text(family).hasSuffix("\nhoga_x{l=\"\(written)\"} 1\n"))
        let help = text(MetricFamily("hoga_x", .gauge, value, nil))
        let inHelp = value.contains("\"") ? value : written
        #expect(help.hasPrefix("# HELP hoga_x \(inHelp)\n# TYPE"))
    }

    @Test(
        "numbers have a form that Go parses",
        arguments: [
            (0, "0"), (-0.0, "0"), (1_700_000_000, "1700000000"), (0.1, "0.1"), (1e-7, "1e-07"),
            (.nan, "NaN"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (1e300, "1e+300"),
        ] as [(Double, String)]
    )
    func numbers(value: Double, written: String) {
        #expect(MetricsText.number(value) == written)
    }

    @Test("sources are read in order on every request")
    func sources() {
        let metrics = Metrics([
            { [MetricFamily("hoga_a", .gauge, "A.", 1)] },
            { [MetricFamily("hoga_b", .gauge, "B.", 2)] },
        ])
        let text = String(decoding: metrics.text, as: UTF8.self)
        let names = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(names == ["hoga_a 1", "hoga_b 2"])
    }
}
