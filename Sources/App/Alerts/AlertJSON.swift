import Domain
import JSON
import ViewStates

/// An alert as the user's command and webhook read it: one JSON object, as a row of the log of the
/// HTTP API.
enum AlertJSON {
    /// The object and a line break.
    static func bytes(of logged: LoggedAlert, _ language: Language) -> [UInt8] {
        object(of: logged, language) + [UInt8(ascii: "\n")]
    }

    /// The object alone.
    static func object(of logged: LoggedAlert, _ language: Language) -> [UInt8] {
        var writer = JSONWriter(capacity: 512)
        let alert = logged.alert
        writer.object { writer in
            writer.key("id")
            writer.string(String(logged.number))
            writer.key("alert")
            writer.string(String(alert.rule.number))
            writer.key("rule")
            writer.string(logged.rule.text)
            writer.key("market")
            writer.string(orNull: alert.subject.market?.name)
            writer.key("feed")
            writer.string(logged.rule.feed.rawValue)
            writer.key("at")
            writer.string(TimeText.iso(alert.at))
            writer.key("price")
            writer.string(orNull: logged.rule.signal.isState ? nil : alert.value.canonicalText)
            writer.key("late")
            writer.boolean(alert.lateness != nil)
            writer.key("reason")
            writer.string(orNull: alert.lateness?.rawValue)
            writer.key("text")
            writer.string(AlertTextPresenter.sentence(logged, language))
        }
        return writer.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func string(orNull text: String?) {
        if let text { string(text) } else { null() }
    }
}
