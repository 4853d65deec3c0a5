import Foundation
import HubSender
import Hummingbird

/// Logging in and out.
struct LoginRoutes: Sendable {
    let store: BackendStore
    let hub: HubAddress
    let limits: BackendLimits

    /// 200 with an access token, and a Listen token for the first connection of a device.
    func logIn(_ request: UserRequest) async throws -> Response {
        let now = request.now
        let token = UserAuthenticator.newToken()
        try await store.sessions.add(
            accessToken: UserAuthenticator.hash(token),
            of: request.caller,
            limits: limits.users,
            now: now
        )
        return try Response.json(
            LoginAnswer(
                user: request.user.text,
                accessToken: token,
                accessTokenSeconds: limits.users.accessTokenSeconds,
                hub: hub.hub,
                deviceHost: hub.deviceHost,
                devicePort: hub.devicePort,
                listenToken: hub.listenToken(expiry: now + limits.users.listenTokenSeconds),
                listenTokenSeconds: limits.users.listenTokenSeconds
            )
        )
    }

    /// 200 when the hub has forgotten every registration of the user; 503 when it is away, and then
    /// they are deleted as soon as it is back.
    func logOut(_ request: UserRequest) async throws -> Response {
        let registrations = try await store.users.logOut(request.caller, now: request.now)
        try await HubDeletions(store: store).carryOut(registrations, with: request.hub)
        return Response(status: .ok)
    }
}
