import Foundation
import HubSender
import Hummingbird

/// Sends texts from user to user.
struct MessageRoutes: Sendable {
    let store: BackendStore
    let limits: BackendLimits

    /// `POST /api/notifications?pns=…&to_tag=…`: 200 when the hub has taken it.
    func send(_ request: UserRequest) async throws -> Response {
        let user = request.user
        guard let pns = request.http.parameter("pns") else {
            throw BackendRefusal(400, "pns is missing")
        }
        guard let to = request.http.parameter("to_tag") else {
            throw BackendRefusal(400, "to_tag is missing")
        }
        let platform = try PlatformName.platform(pns, field: "pns")
        let recipient = try await recipient(to, field: "to_tag")
        let key = try request.hubKey()
        let text = try await request.body(most: limits.requests.bodyBytesMax) { bytes in
            // The answer says which form is wanted, which tells a client more than the decoder would.
            guard let text = try? JSONDecoder().decode(String.self, from: Data(bytes)) else {
                throw BackendRefusal(400, "the body must be a JSON string")
            }
            return text
        }
        try Self.check(text, limits: limits)
        var notification = OutgoingNotification.alert(
            "From \(user.text): \(text)",
            on: platform,
            to: TagQuery(text: recipient.tag) || TagQuery(text: user.senderTag)
        )
        if let key { notification.idempotencyKey = key }
        try await store.sessions.requireLogin(request.caller, now: request.now)
        let sent = try await request.hub.send(notification)
        return try Response.json(SentAnswer(id: nil, notification: sent.id))
    }

    /// The user whom a field names.
    /// - Throws: `BackendRefusal` 400 when it cannot be a name, 404 when no user has it.
    func recipient(_ text: String, field: String) async throws -> UserName {
        let name: UserName
        do throws(BackendError) {
            name = try UserName(text, limits: limits.users)
        } catch {
            throw BackendRefusal(400, "\(field): \(error)")
        }
        guard try await store.users.contains(name) else {
            throw BackendRefusal(404, "\(field): there is no user '\(name.text)'")
        }
        return name
    }

    /// Refuses texts that are empty or too long.
    static func check(_ text: String, limits: BackendLimits) throws {
        guard !text.isEmpty else { throw BackendRefusal(400, "the message is empty") }
        guard text.utf8.count <= limits.content.textBytesMax else {
            throw BackendRefusal(413, "the message may have \(limits.content.textBytesMax) bytes")
        }
    }
}
