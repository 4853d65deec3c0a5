import HubVocabulary

/// Addresses of pages, each part percent-encoded.
enum PageAddress {
    /// The beginning of each.
    static let base = "/$belfry/ui/"

    /// A page of the server.
    static func server(_ parts: String..., query: KeyValuePairs<String, String> = [:]) -> String {
        base + parts.map(PercentCoding.encoded).joined(separator: "/") + text(query)
    }

    /// A page of a hub.
    static func hub(
        _ hub: HubName,
        _ parts: String...,
        query: KeyValuePairs<String, String> = [:]
    ) -> String {
        let path = parts.map { "/\(PercentCoding.encoded($0))" }.joined()
        return "\(base)h/\(hub)\(path.isEmpty ? "/" : path)\(text(query))"
    }

    /// Whether a text is the address of a page here, and can be followed after a sign-in.
    static func isOwn(_ text: String) -> Bool {
        text.hasPrefix(base)
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
    }

    private static func text(_ query: KeyValuePairs<String, String>) -> String {
        let fields = query.filter { !$0.value.isEmpty }
            .map { "\($0.key)=\(PercentCoding.encoded($0.value))" }
        return fields.isEmpty ? "" : "?" + fields.joined(separator: "&")
    }
}
