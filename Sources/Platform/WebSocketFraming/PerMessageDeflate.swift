/// The parameters of the extension permessage-deflate that two ends have agreed on.
///
/// Source: RFC 7692, sections 5 and 7.1.
public struct PerMessageDeflate: Sendable, Hashable {
    /// Whether the server's messages refer to its earlier ones.
    public var serverKeepsContext: Bool
    /// Whether the client's messages refer to its earlier ones.
    public var clientKeepsContext: Bool

    /// Makes parameters.
    public init(serverKeepsContext: Bool, clientKeepsContext: Bool) {
        self.serverKeepsContext = serverKeepsContext
        self.clientKeepsContext = clientKeepsContext
    }

    /// The offer of a client, for `Sec-WebSocket-Extensions`.
    ///
    /// The server need not keep a window for the client's messages, which are few and sent
    /// uncompressed.
    public static let offer = "\(name); \(clientNoContext)"

    private static let name = "permessage-deflate"
    private static let serverNoContext = "server_no_context_takeover"
    private static let clientNoContext = "client_no_context_takeover"
    private static let serverWindow = "server_max_window_bits"
    private static let clientWindow = "client_max_window_bits"
    private static let windowBits: ClosedRange<UInt8> = 8...15

    // MARK: Client

    /// Reads the server's answer to ``offer``; nil if it chose no extension.
    ///
    /// - Parameter value: of `Sec-WebSocket-Extensions`; nil without that header.
    /// - Returns: the parameters, or nil for messages without compression.
    /// - Throws: `unofferedChoice` for another extension, a parameter that does not belong to the
    ///   offer, or one that is malformed; the connection then fails.
    public static func accepted(_ value: String?) throws(WebSocketError) -> PerMessageDeflate? {
        guard let value, !value.isEmpty else { return nil }
        guard let extensions = WebSocketExtension.list(value), extensions.count == 1,
            extensions[0].name == name
        else { throw .violation(.unofferedChoice) }
        var accepted = PerMessageDeflate(serverKeepsContext: true, clientKeepsContext: true)
        for parameter in extensions[0].parameters {
            switch (parameter.name, parameter.value) {
            case (serverNoContext, nil): accepted.serverKeepsContext = false
            case (clientNoContext, nil): accepted.clientKeepsContext = false
            // A smaller window needs no agreement: this end reads the largest one.
            case (serverWindow, let bits?) where isWindow(bits): continue
            default: throw .violation(.unofferedChoice)
            }
        }
        return accepted
    }

    // MARK: Server

    /// Accepts the first offer of a client that this end can keep.
    ///
    /// - Parameters:
    ///   - value: of `Sec-WebSocket-Extensions`; nil without that header.
    ///   - keepsContext: whether this end would like to refer to its earlier messages.
    /// - Returns: the parameters and the value of the answer's header; nil for no compression.
    public static func choice(
        among value: String?,
        keepsContext: Bool
    ) -> (parameters: PerMessageDeflate, answer: String)? {
        guard let value, let offers = WebSocketExtension.list(value) else { return nil }
        for offer in offers where offer.name == name {
            guard var parameters = parameters(of: offer) else { continue }
            parameters.serverKeepsContext = parameters.serverKeepsContext && keepsContext
            var answer = [name]
            if !parameters.serverKeepsContext { answer.append(serverNoContext) }
            if !parameters.clientKeepsContext { answer.append(clientNoContext) }
            return (parameters, answer.joined(separator: "; "))
        }
        return nil
    }

    /// The parameters of an offer; nil if one is malformed or cannot be kept.
    private static func parameters(of offer: WebSocketExtension) -> PerMessageDeflate? {
        var parameters = PerMessageDeflate(serverKeepsContext: true, clientKeepsContext: true)
        for parameter in offer.parameters {
            switch (parameter.name, parameter.value) {
            case (serverNoContext, nil): parameters.serverKeepsContext = false
            case (clientNoContext, nil): parameters.clientKeepsContext = false
            // The client could use a smaller window, which this end need not ask for.
            case (clientWindow, nil): continue
            case (clientWindow, let bits?) where isWindow(bits): continue
            // This end always uses the largest window, so it cannot promise a smaller one.
            default: return nil
            }
        }
        return parameters
    }

    /// Whether a text is a window size: 8 to 15, without leading zeros.
    private static func isWindow(_ text: String) -> Bool {
        guard let bits = UInt8(text), windowBits.contains(bits) else { return false }
        return text == "\(bits)"
    }
}

/// One element of `Sec-WebSocket-Extensions`.
///
/// Source: RFC 6455, section 9.1; tokens as in RFC 9110, section 5.6.2.
struct WebSocketExtension: Sendable, Hashable {
    /// A parameter; each name occurs once.
    struct Parameter: Sendable, Hashable {
        var name: String
        var value: String?
    }

    var name: String
    var parameters: [Parameter] = []

    /// Parses a list; nil if it is malformed, or repeats a parameter.
    static func list(_ text: String) -> [WebSocketExtension]? {
        var list: [WebSocketExtension] = []
        for element in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = element.split(separator: ";", omittingEmptySubsequences: false)
            guard let name = token(parts[0]) else { return nil }
            var found = WebSocketExtension(name: name)
            for part in parts.dropFirst() {
                guard let parameter = parameter(part),
                    !found.parameters.contains(where: { $0.name == parameter.name })
                else { return nil }
                found.parameters.append(parameter)
            }
            list.append(found)
        }
        return list
    }

    private static func parameter(_ text: Substring) -> Parameter? {
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = token(sides[0]) else { return nil }
        if sides.count == 1 { return Parameter(name: name) }
        var value = WebSocketHandshake.trimmed(sides[1])
        // A quoted value is a token, too, so it holds no separator.
        if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
            value = value.dropFirst().dropLast()
        }
        guard let word = token(value) else { return nil }
        return Parameter(name: name, value: word)
    }

    private static func token(_ text: Substring) -> String? {
        let word = WebSocketHandshake.trimmed(text)
        let isToken = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                true
            default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        }
        return isToken && !word.isEmpty ? String(word) : nil
    }
}
