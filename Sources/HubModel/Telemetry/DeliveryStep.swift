package import HubVocabulary

/// A step of a followed notification on its way to devices, as one shard saw it.
package struct DeliveryStep: Sendable {
    /// The kinds of steps.
    package enum Kind: Equatable, Sendable {
        /// So many live registrations match.
        case selected(registrations: Int)
        /// It was written to the connection of a device.
        case sent(DeviceID)
        /// The device has stored it; it was written at `sent`.
        case acknowledged(DeviceID, sent: Instant)
    }

    /// The notification's place in the log.
    package let sequence: UInt64
    /// The request that it came with; nil for one that only its sender follows.
    package let trace: RequestTrace?
    /// The step.
    package let kind: Kind
    /// The turn in which it happened.
    package let at: Instant

    /// Makes a step.
    package init(sequence: UInt64, trace: RequestTrace?, kind: Kind, at: Instant) {
        self.sequence = sequence
        self.trace = trace
        self.kind = kind
        self.at = at
    }
}
