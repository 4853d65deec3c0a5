import Foundation
import Hummingbird
import HubClient

/// What a login gives.
package struct LoginAnswer: Codable, Equatable, Sendable {
    enum CodingKeys: String, CodingKey {
        case user = "User"
        case accessToken = "AccessToken"
        case accessTokenSeconds = "AccessTokenExpiresInSeconds"
        case hub = "Hub"
        case deviceHost = "DeviceHost"
        case devicePort = "DevicePort"
        case listenToken = "ListenToken"
        case listenTokenSeconds = "ListenTokenExpiresInSeconds"
    }

    /// The user's name as the backend writes it.
    var user: String
    /// For `Authorization: Bearer …`, instead of the password.
    var accessToken: String
    var accessTokenSeconds: Int64
    /// The hub's name, and where its devices connect.
    var hub: String
    var deviceHost: String
    var devicePort: UInt16
    /// A SAS token with the Listen right, for a device's first connection.
    var listenToken: String
    var listenTokenSeconds: Int64
}

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

/// Where the hub's devices connect, and the key for their first connection.
struct HubAddress: Sendable {
    let hub: String
    let deviceHost: String
    let devicePort: UInt16
    private let signer: SharedAccessSigner
    private let host: String

    /// Reads it from the hub's description.
    init(_ file: ConnectionFile) throws(ConnectionStringError) {
        let listen = try ConnectionString(parsing: file.connectionStrings.listen)
        signer = SharedAccessSigner(listen)
        host = listen.host
        hub = file.hub
        deviceHost = file.devices.host
        devicePort = file.devices.port
    }

    func listenToken(expiry: Int64) -> String {
        signer.token(host: host, path: hub, expiry: UInt64(max(0, expiry)))
    }
}
