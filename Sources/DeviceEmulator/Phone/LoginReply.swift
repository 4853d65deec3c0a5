import FoundationEssentials

/// The backend's answer to a user who has logged in.
struct LoginReply: Decodable {
    private enum CodingKeys: String, CodingKey {
        case user = "User"
        case accessToken = "AccessToken"
        case seconds = "AccessTokenExpiresInSeconds"
        case hub = "Hub"
        case host = "DeviceHost"
        case port = "DevicePort"
        case listenToken = "ListenToken"
    }

    var user: String
    var accessToken: String
    var seconds: Int64
    var hub: String
    var host: String
    var port: UInt16
    var listenToken: String

    /// Reads an answer; nil when it is none.
    init?(_ answer: [UInt8]) {
        // Another answer is told with its status.
        guard let read = try? JSONDecoder().decode(Self.self, from: Data(answer)) else {
            return nil
        }
        self = read
    }
}
