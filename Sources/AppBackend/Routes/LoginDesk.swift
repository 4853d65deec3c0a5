import Foundation
import Hummingbird
import HubClient

/// Logging in and out.
struct LoginDesk: Sendable {
    let store: BackendStore
    let hub: HubAddress
    let limits: BackendLimits

    /// 200 with an access token, and a Listen token for the first connection of a device.
    func logIn(_ visit: Visit) async throws -> Response {
        let now = visit.now
        let token = AccessGate.newToken()
        try await store.add(
            accessToken: AccessGate.hash(token),
            of: visit.caller,
            limits: limits,
            now: now
        )
        return try Response.json(
            LoginAnswer(
                user: visit.user.text,
                accessToken: token,
                accessTokenSeconds: limits.accessTokenSeconds,
                hub: hub.hub,
                deviceHost: hub.deviceHost,
                devicePort: hub.devicePort,
                listenToken: hub.listenToken(expiry: now + limits.listenTokenSeconds),
                listenTokenSeconds: limits.listenTokenSeconds
            )
        )
    }

    /// 200 when the hub has forgotten every registration of the user; 503 when it is away, and then
    /// they are deleted as soon as it is back.
    func logOut(_ visit: Visit) async throws -> Response {
        let registrations = try await store.logOut(visit.caller, now: visit.now)
        try await Departures(store: store).carryOut(registrations, with: visit.hub)
        return Response(status: .ok)
    }
}
