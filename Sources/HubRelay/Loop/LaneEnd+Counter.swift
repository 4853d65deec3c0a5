import HubModel

extension LaneEnd {
    /// The counter of a match that ended so; nil for a registration that is gone, which no counter
    /// has.
    var counter: TelemetryKind? {
        switch self {
        case .service(let outcome): outcome.counter
        case .expired: .relayExpired
        case .missed: .relayMissed
        case .collapsed: .relayCollapsed
        case .purged: .relayPurged
        case .absent: nil
        case .gaveUp: .relayGaveUp
        }
    }
}

extension RelayOutcome {
    fileprivate var counter: TelemetryKind {
        switch self {
        case .success: .relayAccepted
        case .expiredChannel: .relayExpiredChannel
        case .badChannel: .relayBadChannel
        case .wrongToken: .relayWrongToken
        case .wrongChannel: .relayWrongChannel
        case .invalidNotificationFormat: .relayInvalidFormat
        case .invalidNotificationSize: .relayInvalidSize
        case .dropped: .relayDropped
        case .invalidCredentials, .pnsUnreachable, .pnsInterfaceError, .pnsServerError,
            .pnsUnavailable, .throttled, .tokenProviderInterfaceError, .tokenProviderUnreachable,
            .invalidToken, .channelThrottled, .channelDisconnected, .unknownError:
            .relayRefused
        }
    }
}
