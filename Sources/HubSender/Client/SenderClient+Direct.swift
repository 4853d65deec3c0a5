// Direct sends to many push handles: one notification, one id.
extension SenderClient {
    /// Handles that one send may name.
    ///
    /// Source: REST §9.2.
    public static let batchHandlesMax = 1_000

    /// Sends a notification to some push handles, whatever their registrations, each once.
    ///
    /// The hub passes over a handle that no device has.
    /// - Throws: `SenderError`; status 400 for no handle, for more than `batchHandlesMax`, and for
    ///   the template format, which needs registrations.
    public func sendDirect(
        _ notification: OutgoingNotification,
        to handles: [String]
    ) async throws(SenderError) -> SentNotification {
        // It is random, so that no payload can hold it.
        let boundary = "belfry-" + OutgoingNotification.newIdempotencyKey()
        let list = handles.map(PlatformPayload.json).joined(separator: ",")
        var body: [UInt8] = []
        for (name, type, content) in [
            ("notification", notification.contentType, notification.body),
            ("devices", "application/json", Array("[\(list)]".utf8)),
        ] {
            let head = [
                "--\(boundary)", "Content-Disposition: form-data; name=\"\(name)\"",
                "Content-Type: \(type)", "", "",
            ]
            body += Array(head.joined(separator: "\r\n").utf8) + content + Array("\r\n".utf8)
        }
        body += Array("--\(boundary)--\r\n".utf8)
        var batch = notification
        batch.contentType = "multipart/form-data; boundary=\(boundary)"
        batch.body = body
        return try await post(batch, to: "messages/$batch", query: "&direct")
    }
}
