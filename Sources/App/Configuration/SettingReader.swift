import DataSourceContracts
import Domain

/// Reads the texts of settings, and says what is wrong with one by its name.
struct SettingReader: Sendable {
    let entries: [Setting: Configuration.Entry]

    /// The text of a setting.
    func text(_ setting: Setting) -> String { entries[setting]?.text ?? "" }

    /// The failure of a setting: which one, from where, and what it may be.
    func failure(_ setting: Setting, _ remedy: String) -> ProgramError {
        let entry = entries[setting]
        // The text itself is not repeated: it may hold what does not belong on a screen.
        return switch entry?.origin {
        case .flag: ProgramError(.usage, "\(setting.flag): \(remedy)")
        case .environment: ProgramError(.configuration, "\(setting.environmentName): \(remedy)")
        case .secretFile(let path):
            ProgramError(
                .configuration,
                "\(setting.environmentName)_FILE: \(SecretFiles.shown(path)): \(remedy)"
            )
        case .file, .standard, .locale, .none:
            ProgramError(.configuration, "\"\(setting.key)\" in config.json: \(remedy)")
        }
    }

    func exchange() throws(ProgramError) -> ExchangeChoice {
        let text = text(.exchange)
        switch text {
        case "bithumb": return .bithumb
        case "simulated": return .simulated
        default:
            let prefix = "replay:"
            guard text.hasPrefix(prefix), text.count > prefix.count else {
                throw failure(.exchange, "must be bithumb, simulated or replay:PATH")
            }
            return .replay(path: String(text.dropFirst(prefix.count)))
        }
    }

    func url(
        _ setting: Setting,
        schemes: [String],
        remedy: String? = nil
    ) throws(ProgramError) -> String {
        let text = text(setting)
        let remedy = remedy ?? "must be an address like \(schemes[0])://host[:port][/path]"
        guard let separator = text.firstRange(of: "://") else { throw failure(setting, remedy) }
        let rest = text[separator.upperBound...]
        let authority = rest.prefix { $0 != "/" }
        guard schemes.contains(String(text[..<separator.lowerBound])), !authority.isEmpty,
            !text.contains(where: { $0.isWhitespace || $0 == "?" || $0 == "#" })
        else { throw failure(setting, remedy) }
        guard !authority.contains("@") else {
            throw failure(setting, "must not hold a user name or password")
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// The address of a service; nil where none was given.
    func server() throws(ProgramError) -> String? {
        guard !text(.server).isEmpty else { return nil }
        return try url(
            .server,
            schemes: ["http", "https"],
            remedy: "must be the address of a hoga server, like https://host[:port]"
        )
    }

    func proxy() throws(ProgramError) -> ProxyChoice {
        switch text(.proxy) {
        case "": return .environment
        case "none": return .none
        default:
            let remedy = "must be none, or an address like http://host:port"
            let url = try url(.proxy, schemes: ["http", "https"], remedy: remedy)
            let parts = url.split(separator: ":")
            // Without a port libcurl would take one that few proxies listen on.
            guard parts.count >= 3, let port = parts.last.flatMap({ UInt16($0) }), port > 0 else {
                throw failure(.proxy, remedy)
            }
            return .address(url)
        }
    }

    func replaySpeed() throws(ProgramError) -> ReplaySpeed {
        switch text(.replaySpeed) {
        case "": return .automatic
        case "max": return .maximum
        case let text:
            guard let times = Double(text), times.isFinite, times > 0, times <= 1_000 else {
                throw failure(.replaySpeed, "must be a number above 0 and up to 1000, or max")
            }
            return .times(times)
        }
    }

    func integer(_ setting: Setting, in range: ClosedRange<Int>) throws(ProgramError) -> Int {
        guard let number = Int(text(setting)), range.contains(number) else {
            let bound = range.upperBound == .max ? "up" : "to \(range.upperBound)"
            throw failure(setting, "must be a whole number from \(range.lowerBound) \(bound)")
        }
        return number
    }

    func address(_ setting: Setting) throws(ProgramError) -> ListenAddress {
        let text = text(setting)
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...]), colon > text.startIndex
        else { throw failure(setting, "must be HOST:PORT, like 127.0.0.1:8080") }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        return ListenAddress(host: String(host), port: port)
    }

    func duration(
        _ setting: Setting,
        in range: ClosedRange<Duration>
    ) throws(ProgramError) -> Duration {
        if let duration = DurationText.duration(text(setting)), range.contains(duration) {
            return duration
        }
        throw failure(
            setting,
            "must be a duration like 250ms or 1s, from \(range.lowerBound) to \(range.upperBound)"
        )
    }

    func choice<Value>(
        _ setting: Setting,
        of choices: [(word: String, value: Value)]
    ) throws(ProgramError) -> Value {
        let text = text(setting)
        guard let match = choices.first(where: { $0.word == text }) else {
            throw failure(
                setting,
                "must be one of " + choices.map(\.word).joined(separator: ", ")
            )
        }
        return match.value
    }
}
