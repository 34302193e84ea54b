public import Domain

/// A token as its owner sees it.
public struct TokenViewState: DocumentObject {
    /// The number from 1, never reused.
    public var number: Int
    /// The permissions.
    public var scopes: [ProfileViewState.Scope]
    /// When it was made.
    public var createdAt: Timestamp
    /// The time from which it is invalid; nil for never.
    public var expiresAt: Timestamp?
    /// The last use, recorded at most once a minute; nil if it was never used.
    public var lastUsedAt: Timestamp?
    /// The owner's note on the token; nil without one.
    public var note: String?
    /// Whether the request was made with it.
    public var current: Bool

    /// Presents a token.
    public init(_ token: UserToken) {
        number = Int(token.number)
        scopes = token.scope?.scopes ?? []
        createdAt = token.createdAt
        expiresAt = token.expiresAt
        lastUsedAt = token.lastUsedAt
        note = token.note
        current = token.isCurrent
    }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("Token", "A valid token of the user, without its text.")
        fields.add("number", \.number, .integer(from: 1), note: "Never given to another token.")
        fields.add("scopes", \.scopes)
        fields.add("createdAt", \.createdAt)
        fields.add("expiresAt", \.expiresAt, note: "Null if it is valid until it is revoked.")
        fields.add("lastUsedAt", \.lastUsedAt, note: "Recorded at most once a minute.")
        fields.add("note", \.note)
        fields.add("current", \.current, note: "Whether the request was made with it.")
    }
}

/// The document `tokens`, version 1: a user's valid tokens.
public struct TokensViewState: DocumentState {
    /// `tokens`.
    public static let schemaName = "tokens"

    /// The tokens by number, ascending.
    public var rows: [TokenViewState]

    /// Presents the tokens of a user.
    public init(_ tokens: [UserToken]) { rows = tokens.map(TokenViewState.init) }

    /// About 250 bytes a row.
    public var estimatedJSONSize: Int { 32 + rows.count * 250 }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("TokensState", "The user's valid tokens, by number.")
        fields.add("rows", \.rows)
    }
}

/// The document `token`, version 1: a token that was just made, with its text.
public struct NewTokenViewState: DocumentState {
    /// `token`.
    public static let schemaName = "token"

    /// The token as it is listed.
    public var row: TokenViewState
    /// The text, which is stored nowhere.
    public var token: String

    /// Presents a new token.
    public init(_ row: UserToken, text: AccessToken) {
        self.row = TokenViewState(row)
        token = text.text
    }

    /// About 350 bytes.
    public var estimatedJSONSize: Int { 400 }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("NewTokenState", "A token that was just made, with its text.")
        fields.inline(\.row)
        fields.add("token", \.token, note: "The token itself, which no other answer has.")
    }

    /// Reads the members of the row and the text from one object.
    public init(from decoder: any Decoder) throws {
        row = try TokenViewState(from: decoder)
        token = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .token)
    }

    private enum CodingKeys: String, CodingKey {
        case token
    }
}

extension TokenScope {
    /// The scopes as documents list them.
    public var scopes: [ProfileViewState.Scope] { allowsChanges ? [.read, .write] : [.read] }
}
