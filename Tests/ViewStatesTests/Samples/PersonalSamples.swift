import Domain

@testable import ViewStates

extension DocumentGenerator {
    mutating func assets() -> AssetsViewState {
        AssetsViewState(
            health: health(),
            query: .init(
                state: text(),
                q: optional { $0.text() },
                sort: text(),
                sortDirection: text()
            ),
            counts: .init(all: integer(), normal: integer(), suspended: integer()),
            rows: several { samples in
                AssetsViewState.Row(
                    asset: samples.text(),
                    name: samples.name(),
                    deposit: samples.transfer(),
                    withdrawal: samples.transfer(),
                    depositText: samples.text(),
                    withdrawalText: samples.text(),
                    spokenText: samples.text()
                )
            }
        )
    }

    mutating func portfolio() -> PortfolioViewState {
        var totals = PortfolioViewState.Totals()
        totals.value = optional { $0.decimal() }
        totals.valueText = optional { $0.text() }
        totals.cost = optional { $0.decimal() }
        totals.profit = optional { $0.decimal() }
        totals.profitRatePercent = optional { $0.decimal() }
        return PortfolioViewState(
            health: health(),
            user: .init(name: text(), displayName: optional { $0.text() }),
            cash: .init(
                amount: optional { $0.decimal() },
                amountText: optional { $0.text() },
                sharePercent: decimal()
            ),
            rows: several { $0.portfolioRow() },
            totals: totals,
            unvalued: several { $0.text() }
        )
    }

    private mutating func portfolioRow() -> PortfolioViewState.Row {
        var row = PortfolioViewState.Row(asset: text(), name: name(), quantity: decimal())
        row.averagePrice = optional { $0.decimal() }
        row.price = optional { $0.decimal() }
        row.valuedThrough = optional { $0.text() }
        row.value = optional { $0.decimal() }
        row.valueText = optional { $0.text() }
        row.cost = optional { $0.decimal() }
        row.profit = optional { $0.decimal() }
        row.profitText = optional { $0.text() }
        row.profitRatePercent = optional { $0.decimal() }
        row.sharePercent = decimal()
        row.deposit = transfer()
        row.withdrawal = transfer()
        row.priceDirection = optional { $0.pick([.up, .down, .flat]) }
        return row
    }

    mutating func about() -> AboutViewState {
        AboutViewState(
            version: text(),
            commit: text(),
            installation: optional { $0.text() },
            limits: ["rows": integer(), "depth": integer()],
            licenses: several { samples in
                AboutViewState.License(
                    name: samples.text(),
                    version: samples.optional { $0.text() },
                    license: samples.text(),
                    text: samples.text()
                )
            },
            authors: several { $0.text() },
            notice: text()
        )
    }

    mutating func name() -> MarketRowViewState.Name {
        .init(ko: optional { $0.text() }, en: optional { $0.text() })
    }

    mutating func transfer() -> TransferViewState? { optional { $0.pick([.normal, .suspended]) } }

    /// A random record within the rules.
    mutating func record() -> UserRecord {
        var record = UserRecord(name: text())
        record.profile.value.displayName = optional { $0.text() }
        record.favorites.value = ["XRP_KRW", "BTC_KRW", "ETH_BTC"].compactMap {
            MarketID(name: $0)
        }
        record.holdings.value = several { samples in
            Asset(symbol: samples.pick(["BTC", "ETH"])).map { asset in
                Holding(
                    asset: asset,
                    quantity: samples.decimal(),
                    averagePrice: samples.optional { $0.decimal() }
                )
            }
        }.compactMap(\.self)
        record.cash.value = optional { $0.decimal() }
        record.settings.value.theme = pick(UserSettings.Theme.allCases)
        record.settings.value.marketLayout = pick(UserSettings.MarketLayout.allCases)
        record.settings.value.averages = pick([[], [5], CandleSeries.averageWindows])
        return record
    }
}
