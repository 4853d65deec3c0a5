package import HubWire

/// How far a device has acknowledged and been evaluated; merged by maximum.
///
/// Source: rules B.5.
package struct CursorAdvance: Hashable, Sendable {
    /// The device.
    package var device: DeviceID
    /// The session that reports it.
    package var sessionGeneration: UInt64
    /// Highest complete sequence number the device stored.
    package var acknowledged: UInt64
    /// Everything at or below was evaluated for the device and is acknowledged or did not match.
    package var scannedThrough: UInt64
    /// Matches at or below that are not sent were counted.
    package var evaluatedThrough: UInt64
    /// How many of `ProgressReport.acknowledged` are this device's.
    package var entries: Int
    /// How many of `ProgressReport.unsent` are this device's.
    package var unsent: Int

    /// Makes an advance.
    package init(
        device: DeviceID,
        sessionGeneration: UInt64,
        acknowledged: UInt64,
        scannedThrough: UInt64,
        evaluatedThrough: UInt64 = 0,
        entries: Int = 0,
        unsent: Int = 0
    ) {
        self.device = device
        self.sessionGeneration = sessionGeneration
        self.acknowledged = acknowledged
        self.scannedThrough = scannedThrough
        self.evaluatedThrough = evaluatedThrough
        self.entries = entries
        self.unsent = unsent
    }
}

/// What shards ask of a hub's directory.
package enum DirectoryRequest: Sendable {
    case attach(AttachRequest)
    /// The connection is gone; ignored when a newer session has taken over.
    case detach(device: DeviceID, sessionGeneration: UInt64)
    /// `reference` comes back with the outcome.
    case device(
        DeviceID,
        sessionGeneration: UInt64,
        ConnectionAddress,
        reference: UInt16,
        DeviceRequest
    )
    /// Acknowledgements and counts of some time; made durable within a second, together.
    case progress(ProgressReport)
    /// A shard fell out of the feed and wants its sessions anew.
    case reload([DeviceReload])
}

/// A session whose registrations a shard wants again.
package struct DeviceReload: Hashable, Sendable {
    /// The device.
    package var device: DeviceID
    /// Its session.
    package var sessionGeneration: UInt64
    /// Where it lives.
    package var address: ConnectionAddress

    /// Names a session.
    package init(device: DeviceID, sessionGeneration: UInt64, address: ConnectionAddress) {
        self.device = device
        self.sessionGeneration = sessionGeneration
        self.address = address
    }
}

/// What changed a registration, for shards and logs.
package enum RegistrationChange: Sendable {
    /// Stored; `previous` is what it replaced.
    case put(Registration, previous: Registration?)
    /// Removed.
    case removed(Registration)
}

/// One group commit, in the order in which it took effect: changes first, then records.
package final class FeedItem: Sendable {
    /// Dense per hub and process, from 1.
    package let number: UInt64
    /// Changes whose effective place is the first record's (or the next one's) number.
    package let changes: [RegistrationChange]
    /// Records, ascending.
    package let records: [NotificationRecord]
    /// The log's head after this item.
    package let head: UInt64
    /// The check value of the record at the head.
    package let headCheck: UInt32

    /// Makes an item.
    package init(
        number: UInt64,
        changes: [RegistrationChange],
        records: [NotificationRecord],
        head: UInt64,
        headCheck: UInt32
    ) {
        self.number = number
        self.changes = changes
        self.records = records
        self.head = head
        self.headCheck = headCheck
    }
}

/// What reaches a shard about one hub, in the order in which the directory said it.
package enum ShardMessage: Sendable {
    case feed(FeedItem)
    case attached(AttachReply)
    /// The session cannot be opened now.
    case attachRefused(ConnectionAddress, ErrorNumber, retryAfterMilliseconds: UInt32)
    /// Another connection took the device over.
    case takenOver(ConnectionAddress, sessionGeneration: UInt64, sameInstance: Bool)
    case outcome(ConnectionAddress, reference: UInt16, DeviceOutcome)
    /// Feed items were left out: every session must be loaded anew; the head at that time, with
    /// the check value of its record.
    case feedLost(head: UInt64, check: UInt32)
    /// An operator decided otherwise, or purged.
    case settings(HubSettings)
    /// An answer to `ShardAction.readLog`.
    case page(LogPage)
    /// The devices whose keys were revoked and their present generation.
    case revoked(DeviceID, generation: UInt32)
}
