package import HubVocabulary
package import HubWire

/// A session as of one feed position.
package struct AttachReply: Sendable {
    /// Whom it answers.
    package var address: ConnectionAddress
    /// The device.
    package var device: DeviceID
    /// Fences takeovers: acknowledgements of an older generation are ignored.
    package var sessionGeneration: UInt64
    /// FRESH, RESUMED, GAP or RESET.
    package var outcome: ResumeOutcome
    /// Where delivery goes on, with the check value of that place.
    package var start: Position
    /// Notifications lost with GAP; 0xFFFFFFFF is unknown.
    package var lost: UInt32
    /// Everything at or below needs no evaluation for this device; at least `start.sequence`.
    package var scannedThrough: UInt64
    /// Every registration that leads to this device, ascending by slot.
    package var registrations: [Registration]
    /// Covers the device's own slots.
    package var etag: UInt64
    /// Devices that the hub knows or serves.
    package var devices: Int
    /// The log's head when this was computed.
    package var head: UInt64
    /// Where reading begins when the device has stored more than the hub knows: what matched up to
    /// `start` is counted as acknowledged on the way; nil when there is nothing to count.
    ///
    /// Source: rules B.4.
    package var recountsFrom: UInt64?
    /// Matches at or below that were not sent are counted already.
    package var evaluatedThrough: UInt64
    /// When the device was seen before; what of them had expired then is counted too.
    package var lastSeen: Timestamp

    /// Where reading begins.
    package var readsFrom: UInt64 { recountsFrom ?? scannedThrough }

    /// Makes a reply.
    package init(
        address: ConnectionAddress,
        device: DeviceID,
        sessionGeneration: UInt64,
        outcome: ResumeOutcome,
        start: Position,
        lost: UInt32,
        scannedThrough: UInt64,
        registrations: [Registration],
        etag: UInt64,
        devices: Int,
        head: UInt64,
        recountsFrom: UInt64? = nil,
        evaluatedThrough: UInt64 = 0,
        lastSeen: Timestamp = Timestamp(milliseconds: 0)
    ) {
        self.address = address
        self.device = device
        self.sessionGeneration = sessionGeneration
        self.outcome = outcome
        self.start = start
        self.lost = lost
        self.scannedThrough = scannedThrough
        self.registrations = registrations
        self.etag = etag
        self.devices = devices
        self.head = head
        self.recountsFrom = recountsFrom
        self.evaluatedThrough = evaluatedThrough
        self.lastSeen = lastSeen
    }
}
