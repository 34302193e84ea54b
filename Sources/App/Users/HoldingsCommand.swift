import Domain

extension Command {
    static let holdingsList = onStore(
        "holdings list",
        "List your coins, quantities and average prices",
        requires: .ownRecord
    ) { access, _ throws(ProgramError) in
        try await HoldingsCommand(access: access).list()
    }

    static let holdingsPut = onStore(
        "holdings put",
        "Set the quantity and average price of a coin",
        operands: [
            .asset, CommandOperand("QUANTITY", "the quantity, above 0", example: "0.5"),
            CommandOperand("AVERAGE", "the average price paid, in won", isOptional: true),
        ],
        requires: .ownRecord
    ) { access, invocation throws(ProgramError) in
        try await HoldingsCommand(access: access).put(
            invocation.required(0),
            quantity: invocation.required(1),
            averagePrice: invocation.operand(2)
        )
    }

    static let holdingsRemove = onStore(
        "holdings remove",
        "Remove a coin from your holdings",
        operands: [.asset],
        requires: .ownRecord
    ) { access, invocation throws(ProgramError) in
        try await HoldingsCommand(access: access).remove(invocation.required(0))
    }

    static let cash = onStore(
        "cash",
        "Print your cash in won; with AMOUNT, set it",
        operands: [CommandOperand("AMOUNT", "whole won, 0 or more", isOptional: true)],
        requires: .ownRecord
    ) { access, invocation throws(ProgramError) in
        try await HoldingsCommand(access: access).cash(invocation.operand(0))
    }
}

/// `hoga holdings` and `hoga cash`: the user's coins and cash.
struct HoldingsCommand: Sendable {
    let access: StoreAccess

    /// `list`: coin, quantity and average price, one line each; `-` is unknown.
    func list() async throws(ProgramError) {
        let holdings = try await access.record().holdings.value
        if holdings.isEmpty {
            Console.note("no holdings; add one with 'hoga holdings put ASSET QUANTITY'")
        }
        for holding in holdings { try Self.line(holding) }
    }

    /// `put`: sets quantity and average price of a coin.
    func put(
        _ asset: String,
        quantity: String,
        averagePrice: String?
    ) async throws(ProgramError) {
        let holding = Holding(
            asset: try await known(asset),
            quantity: try Self.read("QUANTITY", quantity, UserInput.quantity),
            averagePrice: try averagePrice.flatMap { text throws(ProgramError) in
                try Self.read("AVERAGE", text, UserInput.averagePrice)
            }
        )
        try await access.perform(.putHolding(holding))
        try Self.line(holding)
    }

    /// `remove`: removes a coin.
    func remove(_ text: String) async throws(ProgramError) {
        let asset = try Self.read("ASSET", text, UserInput.asset)
        let isAvailable = try await access.record().holdings.value.contains { $0.asset == asset }
        guard isAvailable else {
            Console.note("\(asset.symbol) is not in your holdings")
            return
        }
        try await access.perform(.removeHolding(asset))
    }

    /// `cash`: sets the cash in won if an amount is given, and prints it.
    func cash(_ text: String?) async throws(ProgramError) {
        if let text {
            let amount = try Self.read("AMOUNT", text, UserInput.wholeCash)
            try await access.perform(.putCash(amount))
        }
        try Console.line(try await access.record().cash.value?.canonicalText ?? "-")
    }

    /// Reads the symbol of a known coin.
    private func known(_ text: String) async throws(ProgramError) -> Asset {
        let coins = try await access.coins()
        do throws(InputError) {
            return try coins.asset(text)
        } catch {
            let isUnknown = if case .unknownAsset = error.reason { true } else { false }
            throw ProgramError(
                .usage,
                "ASSET: \(error.detail)"
                    + (isUnknown ? "; run 'hoga watch' once to load newly listed coins" : "")
            )
        }
    }

    private static func line(_ holding: Holding) throws(ProgramError) {
        let price = holding.averagePrice?.canonicalText ?? "-"
        try Console.line("\(holding.asset.symbol) \(holding.quantity.canonicalText) \(price)")
    }

    private static func read<Value>(
        _ name: String,
        _ text: String,
        _ reader: (String) throws(InputError) -> Value
    ) throws(ProgramError) -> Value {
        do throws(InputError) {
            return try reader(text)
        } catch {
            throw ProgramError(.usage, "\(name): \(error.detail)")
        }
    }
}
