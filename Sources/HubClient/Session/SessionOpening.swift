package import HubWire

/// The hub's answer to HELLO: the content of WELCOME for the app.
public struct SessionOpening: Equatable, Sendable {
    /// The hub's answer to the device's position.
    package var outcome: ResumeOutcome
    /// Entries lost; 0xFFFFFFFF is unknown.
    package var lost: UInt32
    /// Where the hub goes on.
    package var position: Position
    /// The device's identity.
    package var deviceID: ID16
    /// Whether this connection made the identity.
    public var isNewIdentity: Bool
    /// The hub's clock minus the device's, in milliseconds.
    public var clockOffsetMilliseconds: Int64
    /// An opaque text for support.
    public var trace: String

    /// The sequence number that the hub goes on behind.
    package var sequence: UInt64 { position.sequence }
}

extension SessionOpening {
    /// The outcome in lower case: `fresh`, `resumed`, `gap`, `reset`.
    public var outcomeName: String {
        switch outcome {
        case .fresh: "fresh"
        case .resumed: "resumed"
        case .gap: "gap"
        case .reset: "reset"
        }
    }
}
