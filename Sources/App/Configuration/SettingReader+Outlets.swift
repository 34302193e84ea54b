import NetworkAddresses
import PresentationHTTP
import PresentationTerminal

extension SettingReader {
    /// The limits and rules of the service.
    func service() throws(ProgramError) -> ServiceConfiguration {
        ServiceConfiguration(
            servesPage: try choice(.webPage) { ["on": true, "off": false][$0] },
            requiresToken: try choice(.requireToken) { Bool($0) },
            trustedProxies: try addressRanges(.trustedProxies),
            corsOrigins: try list(
                .corsOrigins,
                "must be origins like https://example.org, without a path"
            ) { CrossOrigin($0) },
            connectionsMax: try integer(.maxConnections),
            connectionsPerClientMax: try integer(.connectionsPerClient),
            requestsPerClient: try integer(.requestsPerClient),
            requestsPerToken: try integer(.requestsPerToken),
            notModifiedPerClient: try integer(.notModifiedPerClient),
            streamsPerUser: try integer(.streamsPerUser),
            topicsMax: try integer(.topics),
            cacheBytesMax: try integer(.cacheMegabytes) << 20,
            streamBytesMax: try integer(.streamMegabytes) << 20,
            unsentBytesMax: try integer(.unsentMegabytes) << 20,
            userBytesMax: try integer(.userMegabytes) << 20,
            accessLog: try choice(.accessLog)
        )
    }

    /// Ranges of addresses, separated by commas.
    func addressRanges(_ setting: Setting) throws(ProgramError) -> [AddressRange] {
        try list(setting, "must be addresses or ranges like 10.0.0.0/8,::1") { AddressRange($0) }
    }

    /// The keys for the secrets of webhooks; nil if none were given.
    func webhookKeys() throws(ProgramError) -> WebhookKeys? {
        guard !text(.webhookKey).isEmpty else { return nil }
        do throws(WebhookKeys.ParseError) {
            return try WebhookKeys(parsing: text(.webhookKey))
        } catch {
            throw failure(.webhookKey, error.detail)
        }
    }

    /// The command for alerts; nil for none.
    func alertCommand() throws(ProgramError) -> AlertCommand? {
        guard !text(.alertCommand).isEmpty else { return nil }
        do throws(AlertCommand.ParseError) {
            return try AlertCommand(parsing: text(.alertCommand))
        } catch {
            throw failure(.alertCommand, error.detail)
        }
    }

    /// The terminal's capabilities that the configuration overrides.
    func terminal() throws(ProgramError) -> TerminalOptions {
        let depths: [String: ColorDepth?] = [
            "auto": nil, "true": .trueColor, "256": .indexed256, "16": .sixteen, "8": .eight,
            "none": ColorDepth.none,
        ]
        let characters: [String: TerminalCharacters?] = [
            "auto": nil, "true": .ascii, "false": .unicode,
        ]
        let copies: [String: Bool?] = ["auto": nil, "osc52": true, "off": false]
        let methods = NotificationMethod.allCases.map { ($0.rawValue, Optional($0)) }
        let notices = Dictionary(uniqueKeysWithValues: methods + [("auto", nil)])
        return TerminalOptions(
            colors: try choice(.colorDepth) { depths[$0] },
            characters: try choice(.ascii) { characters[$0] },
            copies: try choice(.clipboard) { copies[$0] },
            notifies: try choice(.alertNotice) { notices[$0] }
        )
    }
}
