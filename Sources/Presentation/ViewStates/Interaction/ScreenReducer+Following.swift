import Domain

extension ScreenReducer {
    /// Follows the preferences that another terminal of the user has stored.
    ///
    /// Where one looks stays one's own: tab, quote, sort, direction and interval. So does what was
    /// given for this session, and what was changed here and is not seen yet.
    static func follow(
        _ facts: PersonalFacts,
        after old: PersonalFacts?,
        _ state: inout ScreenState
    ) -> [ScreenEffect] {
        settleAsked(facts, after: old, &state)
        guard let before = old?.record.settings.value, var kept = state.keptSettings else {
            return []
        }
        let stored = facts.record.settings.value
        guard stored != before else { return [] }
        let given = state.start?.given ?? SettingsPatch()
        let asked = state.askedSettings.map(\.patch)
        var shown = state.settings(over: kept)
        func follow<Value: Equatable>(
            _ path: WritableKeyPath<UserSettings, Value>,
            _ patch: KeyPath<SettingsPatch, Value?>
        ) {
            guard stored[keyPath: path] != before[keyPath: path], given[keyPath: patch] == nil,
                asked.allSatisfy({ $0[keyPath: patch] == nil })
            else { return }
            kept[keyPath: path] = stored[keyPath: path]
            shown[keyPath: path] = stored[keyPath: path]
        }
        follow(\.changePeriod, \.changePeriod)
        follow(\.pinFavorites, \.pinFavorites)
        follow(\.averages, \.averages)
        follow(\.chartStyle, \.chartStyle)
        follow(\.depth, \.depth)
        follow(\.theme, \.theme)
        follow(\.colors, \.colors)
        follow(\.language, \.language)
        state.keptSettings = kept
        let isOrderOld =
            shown.changePeriod != state.list.period || shown.language != state.look.language
        state.adopt(shown)
        return isOrderOld ? [.reorder] : []
    }

    /// Forgets the changes of settings that are seen now, or were not made.
    private static func settleAsked(
        _ facts: PersonalFacts,
        after old: PersonalFacts?,
        _ state: inout ScreenState
    ) {
        let stored = facts.record.settings
        state.askedSettings.removeAll { asked in
            // Where others have changed more since, it was made before one of their changes.
            stored.value.patched(by: asked.patch) == stored.value
                || stored.revision > asked.revision + 1
        }
        guard let refusal = facts.refusal, refusal.number != old?.refusal?.number,
            case .changeSettings(let patch, _) = refusal.change,
            let index = state.askedSettings.firstIndex(where: { $0.patch == patch })
        else { return }
        state.askedSettings.remove(at: index)
    }
}
