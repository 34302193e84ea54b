import Domain
import ViewStates

/// An object of scalar values; it contains every key, also for null.
struct JSONFields: Encodable {
    enum Value {
        case text(String?)
        case time(Int64?)
        case number(Int64?)
        case flag(Bool)
        case numbers([Int64])
        case texts([String: String])
    }

    private struct Key: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { return nil }
    }

    private let fields: [(name: String, value: Value)]

    init(_ fields: [(String, Value)]) { self.fields = fields }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (name, value) in fields {
            let key = Key(stringValue: name)
            switch value {
            case .text(let text): try container.encode(text, forKey: key)
            case .time(let time):
                let text = time.map { TimeText.iso(Timestamp(microseconds: $0)) }
                try container.encode(text, forKey: key)
            case .number(let number): try container.encode(number, forKey: key)
            case .flag(let flag): try container.encode(flag, forKey: key)
            case .numbers(let numbers): try container.encode(numbers, forKey: key)
            case .texts(let texts): try container.encode(texts, forKey: key)
            }
        }
    }
}
