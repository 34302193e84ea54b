import Domain
import ViewStates

extension KeyTable {
    /// Creates the screens' table with configured keys.
    ///
    /// - Parameter names: key names by command name, which replace the defaults; an empty list
    ///   disables the command.
    /// - Throws: the first error, in the order of the command names.
    public init(rebinding names: [String: [String]]) throws(KeyRebindingError) {
        var rebound: [KeyCommand: [Key]] = [:]
        for (name, keyNames) in names.sorted(by: { $0.key < $1.key }) {
            guard let command = KeyCommand(rawValue: name) else {
                let known = KeyCommand.allCases.map(\.rawValue)
                throw .unknownCommand(name, nearest: SpellingSuggestions.of(name, among: known))
            }
            rebound[command] = try Self.keys(keyNames, of: command)
        }
        let bindings = Self.screens.bindings.map { binding in
            var binding = binding
            if let keys = binding.command.flatMap({ rebound[$0] }) { binding.keys = keys }
            return binding
        }
        try Self.check(bindings, rebound)
        self.init(bindings: bindings, rebound: rebound)
    }

    /// Parses key names and checks what needs no other command.
    private static func keys(
        _ names: [String],
        of command: KeyCommand
    ) throws(KeyRebindingError) -> [Key] {
        if names.isEmpty, command.isNeeded { throw .withoutKey(command) }
        var keys: [Key] = []
        for name in names {
            let key: Key
            do throws(Key.NameError) {
                key = try Key(name: name)
            } catch {
                switch error {
                case .unknown(let nearest): throw .unknownKey(name, command, nearest: nearest)
                case .same(let other): throw .sameKey(name, command, as: other)
                }
            }
            if reserved.contains(key) { throw .reserved(key, command) }
            if keys.contains(key) { throw .repeated(key, command) }
            keys.append(key)
        }
        return keys
    }

    private static let reserved = Set(Key.reserved.map(\.key))

    /// Checks every context for text keys in fields and for conflicts.
    private static func check(
        _ bindings: [KeyBinding],
        _ rebound: [KeyCommand: [Key]]
    ) throws(KeyRebindingError) {
        for context in KeyContext.allCases {
            var owners: [Key: KeyCommand] = [:]
            for binding in bindings where binding.contexts.contains(context) {
                guard let command = binding.command else { continue }
                for key in binding.keys {
                    if key.isText, context.isField || context == .saving {
                        throw .text(key, command, context)
                    }
                    if let other = owners.updateValue(command, forKey: key) {
                        // The configured command is named first in the message.
                        let isOther = rebound[command] == nil
                        let named = isOther ? (other, command) : (command, other)
                        throw .conflict(key, named.0, named.1, context)
                    }
                }
            }
        }
    }
}

/// An invalid key binding.
public enum KeyRebindingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The command is unknown; the most similar names.
    case unknownCommand(String, nearest: [String])
    /// The key is unknown; the most similar names.
    case unknownKey(String, KeyCommand, nearest: [String])
    /// Terminals send the same for both keys.
    case sameKey(String, KeyCommand, as: Key)
    /// The key has a fixed meaning on every screen.
    case reserved(Key, KeyCommand)
    /// The key is listed twice for one command.
    case repeated(Key, KeyCommand)
    /// The key is text where the command works.
    case text(Key, KeyCommand, KeyContext)
    /// The key would have two actions in one context.
    case conflict(Key, KeyCommand, KeyCommand, KeyContext)
    /// The command must keep a key.
    case withoutKey(KeyCommand)

    /// The problem and its remedy.
    public var description: String {
        switch self {
        case .unknownCommand(let name, let nearest):
            "unknown action \(Self.shown(name))\(Self.remedy(nearest))"
        case .unknownKey(let name, let command, let nearest):
            "\(Self.shown(command)): \(Self.shown(name)) is not a key\(Self.remedy(nearest))"
        case .sameKey(let name, let command, let key):
            "\(Self.shown(command)): terminals send \(Self.shown(key)) for \(Self.shown(name)); "
                + "choose another key"
        case .reserved(let key, let command):
            "\(Self.shown(command)): \(Self.shown(key)) is reserved; choose another key"
        case .repeated(let key, let command):
            "\(Self.shown(command)): \(Self.shown(key)) is listed twice; list it once"
        case .text(let key, let command, let context):
            "\(Self.shown(command)): \(Self.shown(key)) is text in \(context.summary.en); "
                + "choose a key that types no character"
        case .conflict(let key, let first, let second, let context):
            "\(Self.shown(first)): \(Self.shown(key)) is already bound to \(Self.shown(second)) in "
                + "\(context.summary.en); choose another key"
        case .withoutKey(let command):
            "\(Self.shown(command)): this action needs a key; list at least one"
        }
    }

    private static func remedy(_ nearest: [String]) -> String {
        guard !nearest.isEmpty else { return "; 'hoga keys' lists all" }
        return ". Did you mean \(nearest.joined(separator: ", "))?"
    }

    private static func shown(_ key: Key) -> String { shown(key.name) }

    private static func shown(_ command: KeyCommand) -> String { shown(command.rawValue) }

    /// A name for messages; long or unprintable names are not repeated.
    private static func shown(_ name: String) -> String {
        let isShowable =
            name.unicodeScalars.count <= 32
            && name.unicodeScalars.allSatisfy {
                switch ScalarWidth.of($0) {
                case .narrow, .wide: true
                case .mark, .invisible, .replaced: false
                }
            }
        return isShowable ? "\"\(name)\"" : "<name not shown>"
    }
}
