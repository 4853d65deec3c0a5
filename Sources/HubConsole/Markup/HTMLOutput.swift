import FoundationEssentials

/// Writes HTML: markup is what stands in our own source, everything else is escaped.
///
/// Holds beside the page what of it is live, so that one description serves both.
struct HTMLOutput: Sendable {
    /// The page, or a part of it.
    private(set) var bytes: [UInt8] = []
    /// The texts of the elements that change while the page is open, by their names.
    private(set) var live: [String: String] = [:]

    /// Appends markup; a literal cannot hold anything that was received.
    mutating func markup(_ markup: StaticString) {
        // The literal's bytes are borrowed for the call.
        markup.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }

    /// Appends text of our own.
    mutating func text(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): markup("&amp;")
            case UInt8(ascii: "<"): markup("&lt;")
            case UInt8(ascii: ">"): markup("&gt;")
            case UInt8(ascii: "\""): markup("&quot;")
            case UInt8(ascii: "'"): markup("&#39;")
            case 0x0D: markup("&#13;")
            case 0: markup("\u{FFFD}")
            default: bytes.append(byte)
            }
        }
    }

    /// Appends text of strangers, kept apart from what stands around it.
    mutating func stranger(_ given: String) {
        markup("<bdi>")
        text(ShownText.spelled(given))
        markup("</bdi>")
    }

    /// The same of bytes that are nearly always UTF-8.
    mutating func stranger(_ given: [UInt8]) {
        stranger(String(decoding: given, as: UTF8.self))
    }

    /// Appends an element with its content.
    mutating func element(
        _ name: StaticString,
        _ attributes: KeyValuePairs<StaticString, String> = [:],
        _ content: (inout HTMLOutput) -> Void
    ) {
        begin(name, attributes)
        content(&self)
        markup("</")
        markup(name)
        markup(">")
    }

    /// Appends an element with text of our own.
    mutating func element(
        _ name: StaticString,
        _ attributes: KeyValuePairs<StaticString, String> = [:],
        text: String
    ) {
        element(name, attributes) { $0.text(text) }
    }

    /// Appends an element without content, such as `input`.
    mutating func void(
        _ name: StaticString,
        _ attributes: KeyValuePairs<StaticString, String> = [:]
    ) {
        begin(name, attributes)
    }

    /// Appends what another output holds.
    mutating func append(_ other: HTMLOutput) {
        bytes += other.bytes
        live.merge(other.live) { _, new in new }
    }

    /// Appends a text that changes while the page is open.
    mutating func live(_ name: String, _ value: String) {
        live[name] = value
        element("span", ["data-live": name], text: value)
    }

    /// The live texts as the page's script asks for them.
    var liveJSON: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Texts by name always encode.
        return (try? encoder.encode(live)).map { Array($0) } ?? []
    }

    private mutating func begin(
        _ name: StaticString,
        _ attributes: KeyValuePairs<StaticString, String>
    ) {
        markup("<")
        markup(name)
        // One without a value says nothing, and is left out.
        for (name, value) in attributes where !value.isEmpty {
            markup(" ")
            markup(name)
            markup("=\"")
            // As it is: a form sends it back.
            text(value)
            markup("\"")
        }
        markup(">")
    }
}
