import Foundation
import HubSender

/// Every kind of send.
///
/// When one returns, the hub has the notification on stable storage.
func sendInEveryWay(_ sender: SenderClient, handle: String, other: String) async throws {
    // By template: each registration has its own form, on every platform.
    _ = try await sender.send(.template(["messageParam": "Hello"], to: "World" || "Sports"))

    // Native: what one platform's devices get, in its own form, checked and escaped.
    let toAll: TagQuery = "World" && !"quiet"
    let apple = ApplePayload(alert: "Hello", badge: 1, sound: "bell", members: [("id", "7")])
    _ = try await sender.send(.apple(apple, to: toAll))
    _ = try await sender.send(.gcm(["message": "Hello", "id": "7"], to: toAll))
    _ = try await sender.send(.fcm(["message": "Hello"], to: toAll))
    _ = try await sender.send(.adm(["message": "Hello"], to: toAll))
    _ = try await sender.send(.windows(toast: "Hello", to: toAll))
    _ = try await sender.send(.windowsPhone(toast: "Hello", to: toAll))
    _ = try await sender.send(.native(.xiaomi, #"{"data":{"message":"Hello"}}"#, to: toAll))

    // To one user: a tag made of a name can hold no operator.
    let tag = try TagQuery(tag: "username:alice")
    _ = try await sender.send(.alert("Hello", on: .apple, to: tag))

    // Direct: to one push handle, or to up to a thousand, whatever they are registered for.
    _ = try await sender.sendDirect(.alert("Only you", on: .apple, to: tag), to: handle)
    _ = try await sender.sendDirect(.alert("Both", on: .apple, to: tag), to: [handle, other])

    // Many different ones: together they cost the hub a fraction of as many requests. Each has an
    // outcome of its own.
    var direct = OutgoingNotification.apple(apple, to: tag)
    (direct.tags, direct.handle) = (nil, handle)
    let users = try ["alice", "bob"].map { try TagQuery(tag: "username:\($0)") }
    let outcomes = await sender.send(users.map { .alert("Hello", on: .apple, to: $0) } + [direct])
    for outcome in outcomes { _ = try outcome.get() }

    // Later: the hub sends it once, across crashes; until then it can be cancelled.
    let tomorrow = Date.now + 86_400
    let scheduled = try await sender.schedule(.alert("Later", on: .apple, to: tag), at: tomorrow)
    try await sender.cancelSchedule(id: scheduled.id)

    // Again: under one key a notification counts once, however often it is sent.
    let once = OutgoingNotification.apple(apple, to: tag)
    let first = try await sender.send(once)
    let second = try await sender.send(once)
    precondition(first.id == second.id)
}
