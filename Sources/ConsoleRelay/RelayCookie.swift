/// The session's cookie under another name on the way through a relay.
///
/// Not all browsers keep a cookie for TLS alone of a page without it, even from this machine.
enum RelayCookie {
    private static let hubName = "__Host-belfry="
    private static let ownName = "belfry-relay="

    /// The cookies of a browser as the hub reads them; those of other programs are left out.
    static func toHub(_ header: String) -> String {
        header.split(separator: ";").map { $0.drop { $0 == " " } }
            .filter { $0.hasPrefix(ownName) }
            .map { hubName + $0.dropFirst(ownName.count) }
            .joined(separator: "; ")
    }

    /// A cookie of the hub as the browser keeps it.
    static func toBrowser(_ header: String) -> String {
        guard header.hasPrefix(hubName) else { return header }
        return ownName + header.dropFirst(hubName.count).replacing("; Secure", with: "")
    }
}
