package import HubTags
package import HubWire

/// Who asks: the rights of the token and the rule it was signed with.
package struct AccessGrant: Hashable, Sendable {
    /// The access rule's name.
    package var rule: String
    /// Raw values of `AccessRight`, or-ed.
    package var rights: UInt8

    /// Makes a grant.
    package init(rule: String, rights: [AccessRight]) {
        self.rule = rule
        self.rights = rights.reduce(0) { $0 | $1.rawValue }
    }

    /// Whether the token carries a right.
    package func has(_ right: AccessRight) -> Bool { rights & right.rawValue != 0 }
}

/// `If-Match` of a registration write.
///
/// Source: REST reference §4.5.
package enum WriteCondition: Hashable, Sendable {
    /// Absent: create or overwrite.
    case none
    /// `*`: overwrite what exists.
    case exists
    /// A version in any of its spellings.
    case version(UInt64)
    /// Not a version of ours: never matches.
    case never
}

/// Which registrations a list names.
///
/// Source: REST reference §4.8.
package enum RegistrationFilter: Hashable, Sendable {
    case all
    case tag([UInt8])
    /// Any of these spellings of a handle, of any platform; Apple tokens compare without case.
    case handle([[UInt8]])
}

/// Which installations a list names: those that meet every condition.
package struct InstallationFilter: Hashable, Sendable {
    /// How their ids begin, in any case; empty for any.
    package var prefix: [UInt8]
    /// A tag that one of their registrations has, in any spelling; `$UserId:{…}` names a user's.
    package var tag: [UInt8]?
    /// Their platform.
    package var platform: Platform?

    /// Makes a filter; without arguments it names all.
    package init(prefix: [UInt8] = [], tag: [UInt8]? = nil, platform: Platform? = nil) {
        self.prefix = prefix
        self.tag = tag
        self.platform = platform
    }
}

/// What a backend or device SDK asks of a hub over REST; validated, authorised, one effect each.
package enum HubCommand: Sendable {
    /// Puts a notification at its place in the log.
    case send(NotificationDraft)
    /// Sends to a few of those that match, and says what happens at each.
    case testSend(NotificationDraft)
    /// A new registration id; stores nothing.
    case reserveRegistrationID
    /// Stores a new registration under a new id.
    case createRegistration(RegistrationContent, AccessGrant)
    /// Creates or replaces the registration with this id.
    case putRegistration(id: [UInt8], RegistrationContent, WriteCondition, AccessGrant)
    /// Reads one.
    case getRegistration(id: [UInt8])
    /// Deletes one.
    case deleteRegistration(id: [UInt8], WriteCondition, AccessGrant)
    /// A page, ascending by number, of those after `after`.
    case listRegistrations(RegistrationFilter, after: RegistrationNumber, limit: Int)
    /// Creates or replaces an installation.
    case putInstallation(InstallationDraft, AccessGrant)
    /// Changes an installation.
    case patchInstallation(id: [UInt8], InstallationPatch, AccessGrant)
    /// Reads one.
    case getInstallation(id: [UInt8])
    /// Deletes one; succeeds when there is none.
    case deleteInstallation(id: [UInt8], AccessGrant)
    /// A page, ascending by number, of those after `after`; with limit 0 it only counts.
    case listInstallations(InstallationFilter, after: InstallationNumber, limit: Int)
    /// What became of a notification.
    case notificationDetails(NotificationName)
    /// One part of an answer about registrations or tags; changes nothing.
    case inspect(Inspection)
    /// Why a notification did or did not reach somebody.
    case explain(NotificationName, ExplainSubject)
    /// Keeps a notification until its time.
    case schedule(ScheduleRequest)
    /// Takes a notification back that has not fired.
    case cancelSchedule(ScheduleID)
    /// Reads one that has not fired.
    case getSchedule(ScheduleID)
    /// A page of those that have not fired, in the order in which they will, behind `after`.
    case listSchedules(after: SchedulePlace?, limit: Int)
}

/// What a hub answers; everything it says is durable.
package enum HubReply: Sendable {
    case accepted(NotificationID, sequence: UInt64)
    case tested(TestOutcome)
    case reserved(id: [UInt8])
    case registration(Registration)
    case deleted
    /// A page; `next` names the last number when more follow.
    case registrations([Registration], next: RegistrationNumber?)
    /// `channelExpired`: its handle was the device's once and is no more.
    case installation(Installation, channelExpired: Bool)
    /// A page, perhaps short; `matched` is how many were found for it and for a question that asks
    /// for none. `next` names the last number looked at when more follow. `total` is how many
    /// installations the hub has.
    case installations([Installation], matched: Int, next: InstallationNumber?, total: Int)
    case details(NotificationDetails)
    case inspected(InspectedPart)
    /// The reason that came nearest first; never empty.
    case explained([Explanation])
    /// Kept, or sent already when its time had passed.
    case scheduled(ScheduleID)
    case schedule(ScheduledNotification)
    /// A page; `next` is the last place when more follow.
    case schedules([ScheduledNotification], next: SchedulePlace?)
}

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

    /// Makes an advance.
    package init(
        device: DeviceID,
        sessionGeneration: UInt64,
        acknowledged: UInt64,
        scannedThrough: UInt64,
        evaluatedThrough: UInt64 = 0,
        entries: Int = 0
    ) {
        self.device = device
        self.sessionGeneration = sessionGeneration
        self.acknowledged = acknowledged
        self.scannedThrough = scannedThrough
        self.evaluatedThrough = evaluatedThrough
        self.entries = entries
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
    /// An answer to `ShardAction.readLog`.
    case page(LogPage)
    /// The devices whose keys were revoked and their present generation.
    case revoked(DeviceID, generation: UInt32)
}

/// Part of the log for one catching-up session, ascending from where it asked.
package struct LogPage: Sendable {
    /// Whom it is for.
    package var address: ConnectionAddress
    /// Distinguishes this read from an older one of the same connection.
    package var ticket: UInt32
    /// Records in `(after, through]`, all of them, ascending.
    package var records: [NotificationRecord]
    /// Everything at or below was read.
    package var through: UInt64
    /// The read failed: the session closes with UNAVAILABLE and comes back.
    package var failed: Bool

    /// Makes a page.
    package init(
        address: ConnectionAddress,
        ticket: UInt32,
        records: [NotificationRecord],
        through: UInt64,
        failed: Bool = false
    ) {
        self.address = address
        self.ticket = ticket
        self.records = records
        self.through = through
        self.failed = failed
    }
}
