import DataSourceContracts
import Domain

/// Reads the texts of settings and refuses invalid values, naming the setting and its origin.
struct SettingReader: Sendable {
    let entries: [Setting: Configuration.Entry]

    /// The text of a setting.
    func text(_ setting: Setting) -> String {
        guard let entry = entries[setting] else {
            preconditionFailure("\(setting.key) is missing in Setting.allCases")
        }
        return entry.text
    }

    /// The error for an invalid value.
    ///
    /// The message never repeats the value, which may be a secret.
    func failure(_ setting: Setting, _ problem: String) -> ProgramError {
        switch entries[setting]?.origin {
        case .flag: ProgramError(.usage, "\(setting.flag): \(problem)")
        case .environment: ProgramError(.configuration, "\(setting.environmentName): \(problem)")
        case .secretFile(let path):
            ProgramError(
                .configuration,
                "\(setting.environmentName)_FILE: \(SecretFiles.shown(path)): \(problem)"
            )
        case .file, .standard, .locale, .none:
            ProgramError(.configuration, "\"\(setting.key)\" in config.json: \(problem)")
        }
    }

    /// A whole number within the range of the setting's row; nil for the row's word, such as auto.
    func optionalInteger(_ setting: Setting) throws(ProgramError) -> Int? {
        guard case .number(let range, let word) = setting.form else {
            preconditionFailure("\(setting.key) is not a number")
        }
        let text = text(setting)
        if let word, text == word { return nil }
        if let number = Int(text), range.contains(number) { return number }
        let bound = range.upperBound == .max ? " or more" : " to \(range.upperBound)"
        throw failure(
            setting,
            "must be a whole number, \(range.lowerBound)\(bound)"
                + (word.map { ", or \($0)" } ?? "")
        )
    }

    /// A whole number within the range of the setting's row.
    func integer(_ setting: Setting) throws(ProgramError) -> Int {
        guard let number = try optionalInteger(setting) else {
            preconditionFailure("\(setting.key) has a word: use optionalInteger")
        }
        return number
    }

    /// A duration within the range of the setting's row.
    func duration(_ setting: Setting) throws(ProgramError) -> Duration {
        guard case .duration(let range) = setting.form else {
            preconditionFailure("\(setting.key) is not a duration")
        }
        if let duration = DurationText.duration(text(setting)), range.contains(duration) {
            return duration
        }
        throw failure(
            setting,
            "must be a duration like 250ms or 1s, \(range.lowerBound) to \(range.upperBound)"
        )
    }

    /// One of the words of the setting's row.
    ///
    /// - Parameters:
    ///   - setting: the row.
    ///   - value: the value of a word; nil for a word that is not accepted.
    /// - Returns: the value of the chosen word.
    /// - Throws: ``ProgramError`` naming the accepted words.
    func choice<Value>(
        _ setting: Setting,
        _ value: (String) -> Value?
    ) throws(ProgramError) -> Value {
        guard case .words(let words) = setting.form else {
            preconditionFailure("\(setting.key) is not a choice of words")
        }
        let text = text(setting)
        guard words.contains(text), let value = value(text) else {
            throw failure(setting, "must be one of " + words.joined(separator: ", "))
        }
        return value
    }

    /// One of the words of the setting's row, as a case of an enumeration.
    func choice<Value: RawRepresentable<String>>(
        _ setting: Setting,
        of type: Value.Type = Value.self
    ) throws(ProgramError) -> Value {
        try choice(setting) { Value(rawValue: $0) }
    }

    func url(
        _ setting: Setting,
        schemes: [String],
        problem: String? = nil
    ) throws(ProgramError) -> String {
        let text = text(setting)
        let problem = problem ?? "must be an address like \(schemes[0])://host[:port][/path]"
        guard let separator = text.firstRange(of: "://") else { throw failure(setting, problem) }
        let rest = text[separator.upperBound...]
        let authority = rest.prefix { $0 != "/" }
        guard schemes.contains(String(text[..<separator.lowerBound])), !authority.isEmpty,
            !text.contains(where: { $0.isWhitespace || $0 == "?" || $0 == "#" })
        else { throw failure(setting, problem) }
        guard !authority.contains("@") else {
            throw failure(setting, "must not contain a user name or password")
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    func address(_ setting: Setting) throws(ProgramError) -> ListenAddress {
        let text = text(setting)
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...]), colon > text.startIndex
        else { throw failure(setting, "must be HOST:PORT, e.g. 127.0.0.1:8080") }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        return ListenAddress(host: String(host), port: port)
    }

    /// Parts of a list separated by commas; empty text is an empty list.
    func list<Value>(
        _ setting: Setting,
        _ problem: String,
        _ read: (String) -> Value?
    ) throws(ProgramError) -> [Value] {
        let text = text(setting)
        if text.isEmpty { return [] }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= Self.listMax else {
            throw failure(setting, "must have at most \(Self.listMax) entries")
        }
        var values: [Value] = []
        for part in parts {
            guard let value = read(String(part)) else { throw failure(setting, problem) }
            values.append(value)
        }
        return values
    }

    /// The longest list of addresses or origins: each request scans it.
    private static let listMax = 64
}

extension SettingReader {
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

    /// The generations of the exchange's API that are read.
    func api() throws(ProgramError) -> Set<APIGeneration> {
        if text(.api) == "auto" { return Set(APIGeneration.allCases) }
        guard let generation = APIGeneration(rawValue: text(.api)) else {
            throw failure(.api, "must be auto, 1 or 2")
        }
        return [generation]
    }

    /// The address of a server; nil if none was given.
    func server() throws(ProgramError) -> String? {
        guard !text(.server).isEmpty else { return nil }
        return try url(
            .server,
            schemes: ["http", "https"],
            problem: "must be the address of a hoga server, e.g. https://host[:port]"
        )
    }

    func proxy() throws(ProgramError) -> ProxyChoice {
        switch text(.proxy) {
        case "": return .environment
        case "none": return .none
        default:
            let problem = "must be none or an address like http://host:port"
            let url = try url(.proxy, schemes: ["http", "https"], problem: problem)
            let parts = url.split(separator: ":")
            // Without a port libcurl uses 1080, which few proxies listen on.
            guard parts.count >= 3, let port = parts.last.flatMap({ UInt16($0) }), port > 0 else {
                throw failure(.proxy, problem)
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
                throw failure(.replaySpeed, "must be a number above 0, up to 1000, or max")
            }
            return .times(times)
        }
    }
}
