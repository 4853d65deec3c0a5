package import HubTags
package import HubWire

/// What a device asks of its own slots.
///
/// Source: Protocol, registration frames.
package enum DeviceRequest: Sendable {
    /// Creates or replaces a slot.
    case register(slot: UInt16, RegistrationContent, ttlSeconds: UInt32, ifETag: UInt64)
    /// Replaces or patches a slot's own tags.
    case tags(slot: UInt16, replace: Bool, add: TagSet, remove: TagSet, ifETag: UInt64)
    /// Removes a slot, or all with 0xFFFF.
    case unregister(slot: UInt16)
}

/// The answer to a device's request; becomes RESULT.
package struct DeviceOutcome: Sendable {
    /// nil is success.
    package var error: ErrorNumber?
    /// The slot it is about.
    package var slot: UInt16
    /// Covers the device's own slots; 0 when it has none.
    package var etag: UInt64
    /// Seconds until the slot lapses; 0 for never.
    package var expiresSeconds: UInt32
    /// Tags now set on the slot.
    package var applied: UInt16
    /// Milliseconds to wait before repeating.
    package var retryAfterMilliseconds: UInt32
    /// At most 200 bytes, for logs.
    package var detail: String

    /// Makes an outcome.
    package init(
        error: ErrorNumber? = nil,
        slot: UInt16,
        etag: UInt64 = 0,
        expiresSeconds: UInt32 = 0,
        applied: UInt16 = 0,
        retryAfterMilliseconds: UInt32 = 0,
        detail: String = ""
    ) {
        self.error = error
        self.slot = slot
        self.etag = etag
        self.expiresSeconds = expiresSeconds
        self.applied = applied
        self.retryAfterMilliseconds = retryAfterMilliseconds
        self.detail = detail
    }
}

/// A proven device asks for its session.
package struct AttachRequest: Sendable {
    /// Where to answer.
    package var address: ConnectionAddress
    /// Proven by key, certificate, or just made.
    package var device: DeviceID
    /// The key generation that was proven.
    package var keyGeneration: UInt32
    /// The process that speaks for the device.
    package var instance: UInt64
    /// What the device has stored.
    package var position: Position
    /// Whether the device is new: a token HELLO made the identity.
    package var isNew: Bool

    /// Makes a request.
    package init(
        address: ConnectionAddress,
        device: DeviceID,
        keyGeneration: UInt32,
        instance: UInt64,
        position: Position,
        isNew: Bool
    ) {
        self.address = address
        self.device = device
        self.keyGeneration = keyGeneration
        self.instance = instance
        self.position = position
        self.isNew = isNew
    }
}

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
    var readsFrom: UInt64 { recountsFrom ?? scannedThrough }

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
        self.head = head
        self.recountsFrom = recountsFrom
        self.evaluatedThrough = evaluatedThrough
        self.lastSeen = lastSeen
    }
}
