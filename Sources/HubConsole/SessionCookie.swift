/// The one cookie: the random text by which a browser's session is known.
enum SessionCookie {
    /// With this beginning browsers keep it for this host alone, and over TLS alone.
    static let name = "__Host-belfry"

    private static let attributes = "Path=/; Secure; HttpOnly; SameSite=Lax"

    /// The cookie's value in a request's header; empty when it is absent.
    static func value(in header: [UInt8]?) -> String {
        for part in String(decoding: header ?? [], as: UTF8.self).split(separator: ";") {
            let part = part.drop { $0 == " " }
            if part.hasPrefix("\(name)=") { return String(part.dropFirst(name.count + 1)) }
        }
        return ""
    }

    /// The header that begins a session of so many seconds.
    static func begin(_ value: String, seconds: UInt64) -> (String, String) {
        ("Set-Cookie", "\(name)=\(value); \(attributes); Max-Age=\(seconds)")
    }

    /// The header that ends it.
    static var end: (String, String) { ("Set-Cookie", "\(name)=; \(attributes); Max-Age=0") }
}
