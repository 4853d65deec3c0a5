/// The answer to a login: names, addresses and tokens.
struct LoginAnswer: Codable, Equatable, Sendable {
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
