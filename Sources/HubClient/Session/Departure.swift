public import HubWire

/// Why a connection of a device ended, or could not be made.
public enum Departure: Equatable, Sendable {
    /// The stream ended or broke without a word.
    case lost
    /// No connection could be made.
    case unreachable
    /// The hub's certificate did not stand up to the trusted roots.
    ///
    /// Time may mend it: a renewed certificate, a clock that was set, another network.
    case untrusted
    /// No WELCOME within its deadline.
    case welcomeMissing
    /// No PONG within its deadline.
    case pongMissing
    /// A frame was begun and not finished within its deadline.
    case frameStalled
    /// The app reported another network.
    case networkChanged
    /// The app closed the device.
    case closedByApp
    /// The hub is going away and says when to return.
    case goaway(reason: UInt8, mayReconnect: Bool, least: Duration, spread: Duration)
    /// The hub sent a fatal ERROR; `aboutHello` when it refused the opening itself, and
    /// `hasOtherCredentials` when the device would show others next time.
    case refused(code: UInt16, aboutHello: Bool, hasOtherCredentials: Bool, retryAfter: Duration)
    /// The hub's bytes broke the protocol; the hub was told this number.
    case hubFault(ErrorNumber)
    /// The device could not store what arrived, so nothing of it was acknowledged.
    case storeFailed

    /// The least wait after a certificate that was not trusted: each attempt costs a handshake.
    package static let untrustedDelayLeast: Duration = .seconds(60)

    /// The way to come back after a departure.
    public enum Advice: Equatable, Sendable {
        /// Not by itself.
        case stay
        /// At once, but only once.
        case atOnce
        /// Within two seconds.
        case soon
        /// After `least` and a random part of `spread`.
        case spread(least: Duration, Duration)
        /// After `least` and the backoff.
        case backoff(least: Duration)
    }

    /// Whether and how the device should come back by itself.
    public var advice: Advice {
        switch self {
        case .lost, .unreachable, .welcomeMissing, .frameStalled, .hubFault, .storeFailed:
            .backoff(least: .zero)
        case .untrusted: .backoff(least: Self.untrustedDelayLeast)
        case .closedByApp: .stay
        case .pongMissing: .atOnce
        case .networkChanged: .soon
        case .goaway(_, let mayReconnect, let least, let spread):
            mayReconnect ? .spread(least: least, spread) : .stay
        case .refused(let code, let aboutHello, let hasOtherCredentials, let retryAfter):
            Self.advice(code, aboutHello, hasOtherCredentials, retryAfter)
        }
    }

    /// Source: Protocol [E-4], [E-5].
    private static func advice(
        _ code: UInt16,
        _ aboutHello: Bool,
        _ hasOtherCredentials: Bool,
        _ retryAfter: Duration
    ) -> Advice {
        switch ErrorNumber(rawValue: code) {
        case .takenOver, .versionUnsupported, .badMagic, .unsupported: .stay
        // The device key, or the next token, is another credential than the one that ran out.
        case .authExpired: hasOtherCredentials ? .backoff(least: retryAfter) : .stay
        case .authRequired, .authFailed, .forbidden, .unknownHub, .deviceRevoked: .stay
        case .some: repeatsHello(code, aboutHello) ? .stay : .backoff(least: retryAfter)
        case .none:
            code >> 8 == 0x02 || repeatsHello(code, aboutHello)
                ? .stay : .backoff(least: retryAfter)
        }
    }

    /// Whether coming back would send the same refused opening again.
    private static func repeatsHello(_ code: UInt16, _ aboutHello: Bool) -> Bool {
        code >> 8 == 0x01 && aboutHello
    }

    /// Whether this device has said ERROR, which is its last frame. [C-3]
    var followsOwnError: Bool {
        switch self {
        case .hubFault, .frameStalled: true
        case .lost, .unreachable, .untrusted, .welcomeMissing, .pongMissing, .networkChanged,
            .closedByApp, .goaway, .refused, .storeFailed:
            false
        }
    }

    /// The word for logs and `--json`.
    public var label: String {
        switch self {
        case .lost: "connection lost"
        case .unreachable: "hub not reachable"
        case .untrusted: "hub not trusted"
        case .welcomeMissing: "no WELCOME in time"
        case .pongMissing: "no PONG in time"
        case .frameStalled: "frame not finished in time"
        case .networkChanged: "network changed"
        case .closedByApp: "closed"
        case .goaway: "hub going away"
        case .refused(let code, _, _, _):
            "refused by the hub: " + (ErrorNumber(rawValue: code)?.name ?? "error \(code)")
        case .hubFault(let number): "hub broke the protocol: \(number.name)"
        case .storeFailed: "device could not store"
        }
    }
}
