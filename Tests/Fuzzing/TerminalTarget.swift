import Domain
@testable import PresentationTerminal

extension FuzzTarget {
    // MARK: Keys

    /// Input of a terminal: pastes are bounded, text does not depend on how it arrives, and
    /// answers of the terminal leave the other input in its order.
    func judgeTerminalInput(_ input: FuzzInput) throws(FuzzFinding) {
        let batches = input.rest.split(separator: 0xfc, omittingEmptySubsequences: false)
            .map { $0.map(unit) }
        var decoder = KeyDecoder()
        var events: [InputEvent] = []
        for batch in batches { events += decoder.decode(batch) }
        let units = batches.flatMap(\.self)
        let ending = decoder.abandonPaste()
        try require(events.count + ending.count <= units.count + 1, "more events than input")
        try require(decoder.abandonPaste().isEmpty && !decoder.isPasting, "a paste goes on")
        for event in events + ending { try check(event) }
        // Escape sequences arrive at once; everything else may be cut anywhere.
        if !units.contains(.byte(0x1b)), !units.contains(.mouseBegin) {
            var other = KeyDecoder()
            try requireEqual(other.decode(units), events, "input in one piece")
        }
        try checkReplies(batches)
        try checkName(input.rest)
    }

    /// Bytes that UTF-8 does not have stand for what a device recognizes.
    private func unit(_ byte: UInt8) -> InputUnit {
        switch byte {
        case 0xf8: .key(.up)
        case 0xf9: .mouseBegin
        case 0xfa: .pasteBegin
        case 0xfb: .pasteEnd
        default: .byte(byte)
        }
    }

    private func check(_ event: InputEvent) throws(FuzzFinding) {
        switch event {
        case .key(.character(let scalar)):
            try require(scalar.value >= 0x20 && !(0x7f...0x9f).contains(scalar.value), "a control")
        case .key: break
        case .paste(let text):
            let count = text.unicodeScalars.count
            try require((1...KeyDecoder.pasteScalarsMax).contains(count), "a paste of \(count)")
        case .mouse(let mouse):
            try require(mouse.row >= 0 && mouse.column >= 0, "a cell before the first")
        }
    }

    /// The keys left by the filter of replies are the input without some bytes, in order.
    private func checkReplies(_ batches: [[InputUnit]]) throws(FuzzFinding) {
        var idle = TerminalReplies()
        var replies = TerminalReplies()
        replies.expect()
        var rest: [InputUnit] = []
        for batch in batches {
            try requireEqual(idle.taken(from: batch), batch, "input without questions")
            rest += replies.taken(from: batch)
        }
        var input = batches.joined().makeIterator()
        for unit in rest {
            var next = input.next()
            while let found = next, found != unit { next = input.next() }
            try require(next != nil, "input that nobody typed")
        }
    }

    private func checkName(_ bytes: ArraySlice<UInt8>) throws(FuzzFinding) {
        guard let text = String(validating: bytes.prefix(40), as: UTF8.self),
            let key = try? Key(name: text)
        else { return }
        try requireEqual(try? Key(name: key.name), key, "the key \(key.name)")
    }

    // MARK: Forms

    /// Forms: typed and pasted text stays within its bounds, and what is submitted is within those
    /// of the user's record.
    func judgeForms(_ input: FuzzInput) throws(FuzzFinding) {
        var input = input
        var form = Self.form(input.byte())
        form.ruleContext = AlertRuleContext(
            feed: .live,
            markets: [],
            now: Self.now
        )
        var search = ""
        // The record holds what another session of the user has stored since the form opened.
        var record = UserRecord(name: "fuzz")
        for step in input.rest.split(separator: 0x1e) {
            search = try searched(String(decoding: step, as: UTF8.self), search)
            switch step.first {
            case UInt8(ascii: "h"): record.holdings.value = Self.holdings
            case UInt8(ascii: "y"): form.awaited = []
            default: break
            }
            let outcome = FormReducer.reduce(
                &form,
                Self.action(step),
                holdings: record.holdings.value
            )
            for field in form.fields {
                let lengthMax = field.name.lengthMax
                try require(
                    field.text.count <= lengthMax
                        && field.text.unicodeScalars.count <= 3 * lengthMax,
                    "a field of \(field.text.count) characters"
                )
            }
            try require(form.fields.isEmpty || form.fields.indices.contains(form.focus), "focus")
            switch outcome {
            case .submitted(let changes):
                for change in changes {
                    if let fault = fault(in: change) { throw FuzzFinding(fault) }
                    if case .putHolding(let holding) = change {
                        let isStored = record.holdings.value.contains(holding)
                        try requireEqual(record.reflects(change), isStored, "a stored holding")
                    }
                }
            case .open, .closed, .answered: continue
            }
        }
    }

    /// The text of a search field, which takes as much as fits.
    private func searched(_ text: String, _ present: String) throws(FuzzFinding) -> String {
        guard let longer = TextFieldInput.appended(text, to: present) else { return present }
        try require(
            longer.count <= TextFieldInput.lengthMax
                && longer.unicodeScalars.count <= TextFieldInput.scalarsMax,
            "a search of \(longer.count) characters"
        )
        try require(longer.utf8.starts(with: present.utf8), "a search that was typed is changed")
        return TextFieldInput.shortened(longer, by: .character) ?? longer
    }

    private static let ruleMarkets = Set(
        [MarketID(symbol: "ETH", quote: .krw)].compactMap(\.self)
    )
    private static let holdings = [Asset(symbol: "BTC"), Asset(symbol: "XRP")].compactMap(\.self)
        .map { Holding(asset: $0, quantity: .one, averagePrice: nil) }

    private static func form(_ number: UInt8) -> ScreenForm {
        let forms =
            [
                .adding, .cash(nil), .displayName(nil), .average, .comparison, .chartFile(""),
                .addingAlert("BTC > "), ScreenForm(.removeHolding(holdings[0].asset), []),
                ScreenForm(.removeAlert(7, rule: ""), []),
            ] + holdings.map { ScreenForm.editing($0) }
        return forms[Int(number) % forms.count]
    }

    /// The first byte is the kind of action.
    private static func action(_ step: ArraySlice<UInt8>) -> FormAction {
        switch step.first {
        case UInt8(ascii: "d"): .delete(.character)
        case UInt8(ascii: "w"): .delete(.word)
        case UInt8(ascii: "a"): .delete(.all)
        case UInt8(ascii: "n"): .next
        case UInt8(ascii: "p"): .previous
        case UInt8(ascii: "s"): .submit
        case UInt8(ascii: "k"): .know(KnownCoins(symbols: ["BTC", "ETH"], names: CoinNames([:])))
        case UInt8(ascii: "r"):
            .knowRules(AlertRuleContext(feed: .simulated, markets: ruleMarkets, now: now))
        case UInt8(ascii: "c"): .cancel
        default: .type(String(decoding: step.dropFirst(), as: UTF8.self))
        }
    }
}
