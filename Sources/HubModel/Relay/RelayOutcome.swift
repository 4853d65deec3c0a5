/// How a notification to one device of a service ended, in Azure's words.
///
/// The raw value is Azure's number, 0 for success. Source: REST §12.
package enum RelayOutcome: UInt8, CaseIterable, Sendable {
    case success = 0
    case invalidCredentials = 1
    case pnsUnreachable = 2
    case pnsInterfaceError = 3
    case badChannel = 4
    case expiredChannel = 5
    case pnsServerError = 6
    case pnsUnavailable = 7
    case throttled = 8
    case tokenProviderInterfaceError = 9
    case tokenProviderUnreachable = 10
    case invalidToken = 11
    case wrongToken = 12
    case invalidNotificationFormat = 13
    case invalidNotificationSize = 14
    case channelThrottled = 15
    case channelDisconnected = 16
    case dropped = 17
    case wrongChannel = 18
    case unknownError = 99

    /// Azure's word.
    package var name: String {
        switch self {
        case .success: "Success"
        case .invalidCredentials: "InvalidCredentials"
        case .pnsUnreachable: "PnsUnreachable"
        case .pnsInterfaceError: "PnsInterfaceError"
        case .badChannel: "BadChannel"
        case .expiredChannel: "ExpiredChannel"
        case .pnsServerError: "PnsServerError"
        case .pnsUnavailable: "PnsUnavailable"
        case .throttled: "Throttled"
        case .tokenProviderInterfaceError: "TokenProviderInterfaceError"
        case .tokenProviderUnreachable: "TokenProviderUnreachable"
        case .invalidToken: "InvalidToken"
        case .wrongToken: "WrongToken"
        case .invalidNotificationFormat: "InvalidNotificationFormat"
        case .invalidNotificationSize: "InvalidNotificationSize"
        case .channelThrottled: "ChannelThrottled"
        case .channelDisconnected: "ChannelDisconnected"
        case .dropped: "Dropped"
        case .wrongChannel: "WrongChannel"
        case .unknownError: "UnknownError"
        }
    }
}
