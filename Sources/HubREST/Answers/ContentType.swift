/// `Content-Type` of what goes back.
enum ContentType {
    /// Errors, and the empty bodies that have one.
    ///
    /// Source: REST §2.4.
    static let xml = "application/xml; charset=utf-8"
    /// The hub's own documents.
    static let json = "application/json; charset=utf-8"
    /// Lines of JSON.
    static let jsonLines = "application/x-ndjson"
    /// One Atom entry.
    static let entry = "application/atom+xml; type=entry; charset=utf-8"
    /// An Atom feed.
    static let feed = "application/atom+xml; type=feed; charset=utf-8"
    /// Plain text.
    static let text = "text/plain; charset=utf-8"
}
