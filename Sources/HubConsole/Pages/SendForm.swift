import HubRules
import HubVocabulary

/// A notification as an operator has typed it.
struct SendForm {
    let format: String
    let tags: String
    let body: String
    let time: String
    /// Makes a double click send once.
    let key: String

    /// Reads the form; of a page that is only read, its query.
    init(_ visit: PageVisit) {
        func text(_ name: String) -> String {
            let typed = visit.fields[name]
            return typed.isEmpty ? visit.query(name) : typed
        }
        format = text("format").isEmpty ? "template" : text("format")
        tags = text("tags")
        body = text("body")
        time = text("time")
        key = text("key").isEmpty ? String(ConsoleSecret.token().prefix(32)) : text("key")
    }

    /// The same as fields that are not seen; the time is one of a send for later alone.
    func carry(to form: inout HTMLOutput, withTime: Bool) {
        let time = withTime ? [("time", time)] : []
        for (name, value) in [("format", format), ("tags", tags), ("key", key)] + time {
            form.void("input", ["type": "hidden", "name": name, "value": value])
        }
        // An input would lose line ends.
        form.element("textarea", ["name": "body", "hidden": "hidden", "aria-label": "Body"]) {
            $0.text("\n" + body)
        }
    }

    /// The same as a send over REST.
    func request(rule: String) -> SendRequest {
        var headers: [NamedValue] = []
        for (name, value) in [
            ("servicebusnotification-format", format), ("servicebusnotification-tags", tags),
            ("servicebusnotification-scheduletime", time), ("idempotency-key", key),
        ] where !value.isEmpty {
            headers.append(NamedValue(name: Array(name.utf8), value: Array(value.utf8)))
        }
        return SendRequest(headers: headers, body: Array(body.utf8), rule: rule)
    }
}
