import HubREST

/// Whether a request with an effect comes from a page of this very origin.
enum SameOrigin {
    /// Returns what the browser says itself.
    ///
    /// Of an old one the origin is compared, and without either it is not
    /// believed. Other ports of the host are foreign.
    static func holds(for incoming: IncomingRequest) -> Bool {
        if let site = incoming.header("Sec-Fetch-Site") {
            return site.elementsEqual("same-origin".utf8)
        }
        guard let origin = incoming.header("Origin") else { return false }
        return origin.elementsEqual("https://\(incoming.externalHost)".utf8)
    }
}
