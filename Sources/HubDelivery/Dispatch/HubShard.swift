import HubModel
import HubParcel
import HubTags
import HubVocabulary

/// One hub on one shard: the index of its connected devices, their sessions, and the fan-out.
///
/// Owned by the shard's thread. Registrations are indexed only while their session is live; every
/// other session reads the log. Source: rules A.4.
final class HubShard {
    /// The facts of one slot of the index; everything that fan-out needs without the session.
    struct IndexedSlot {
        var session: Int32
        var slot: UInt16
        var platform: Platform
        var codec: ParcelCodec
        /// 0 for native.
        var template: UInt32
        /// `SessionRegistration.variables`.
        var variables: UInt32
    }

    /// A parcel that a session gets this turn.
    struct TurnParcel {
        var parcel: Parcel
        var sequence: UInt64
        /// The check value of the record before it.
        var previousCheck: UInt32
        var platform: Platform
        /// Equal for equal collapse keys within a turn; 0 for none.
        var collapse: Int32
    }

    /// One delivery of this turn, in a list by session.
    struct TurnEntry {
        var parcel: Int32
        var next: Int32
        var slot: UInt16
    }

    let name: HubName
    let secret: HubSecret
    let limits: SessionLimits
    var retentionSeconds: UInt32
    var maker: ParcelMaker
    /// Notifications kept for one absence of a device.
    var deviceCap: Int
    /// The place through which an operator purged records.
    var purgedThrough: UInt64

    var index: TagIndex
    var slots: [IndexedSlot] = []
    var freeSlots: [UInt32] = []
    let nativeTags: [TagID]
    let templateTag: TagID

    var sessions: [DeviceSession] = []
    var freeSessions: [Int] = []
    private var byDevice: DeviceIndex
    /// Places of the sessions that read the log, in an order that follows from how they came.
    var readers: [Int] = []
    /// Keys revoked so far: the present generation where it is not 0.
    var keyGenerations: [DeviceID: UInt32] = [:]

    /// Head of the feed as applied here, with the check value of its last record.
    var applied: UInt64
    var appliedCheck: UInt32
    /// When that was.
    var appliedAt: Timestamp
    var epoch: UInt64

    var turnParcels: [TurnParcel] = []
    var turnEntries: [TurnEntry] = []
    /// Entries written of each of `turnParcels`.
    var turnSent: [UInt32] = []
    /// Sessions that got entries or became due this turn; the shard flushes their connections.
    var due: [Int] = []
    /// Sessions that were flushed and could go on at once; due in the next turn.
    var again: [Int] = []
    /// The numbers of this turn's collapse keys, and whether one came twice.
    var turnKeys: [[UInt8]: Int32] = [:]
    var turnRepeatsKey = false
    /// The number of the key of the record that is being fanned out.
    var recordKey: Int32 = 0
    var audience: [SlotIndex] = []
    var variantsOfRecord: [ParcelVariant: Int32] = [:]
    /// This turn's number of `nothing` in the place of the record that is being fanned out; -1 until
    /// it is needed.
    var emptyParcel: Int32 = -1
    /// Stands in a list for a match that is not sent.
    static let nothing = Parcel(
        bytes: [],
        expires: Timestamp(milliseconds: 0),
        isTransient: false
    )
    /// Sessions whose cursor moved since the directory was last told; `hasMoved` says which of
    /// them still count.
    private var movedCursors: [Int] = []
    /// The value of `applied` that the directory was last told.
    private var reportedApplied: UInt64
    var counters = ShardCounters()
    /// Only for a planted mistake.
    var latestTime = Timestamp(milliseconds: 0)
    var tally = TelemetryTally()
    /// Matches that are not sent and that the directory was not told of, of all sessions.
    private var unsentWaiting = 0
    /// Receipts that the directory was not told yet.
    var receipts: [DeviceReceipt] = []
    /// Live matches of the record that is being fanned out, by platform.
    var matches = [UInt32](repeating: 0, count: Platform.allCases.count)

    /// An empty shard of a hub whose log stands at `head`.
    init(_ configuration: ShardHubConfiguration, limits: SessionLimits, seed: UInt64, now: Now) {
        name = configuration.name
        secret = configuration.secret
        self.limits = limits
        retentionSeconds = configuration.retentionSeconds
        deviceCap = configuration.deviceCap
        purgedThrough = configuration.purgedThrough
        maker = ParcelMaker(payloadBytesMax: configuration.payloadBytesMax)
        epoch = configuration.bounds.epoch
        applied = configuration.bounds.head
        appliedCheck = configuration.headCheck
        appliedAt = now.time
        reportedApplied = applied
        keyGenerations = configuration.keyGenerations
        var index = TagIndex(seed: seed)
        // Class tags begin with a control character, which no tag may hold.
        var nativeTags: [TagID] = []
        for platform in Platform.allCases {
            let name: [UInt8] = [1, UInt8(ascii: "n"), platform.rawValue]
            nativeTags.append(index.intern(name.span))
        }
        let templateName: [UInt8] = [1, UInt8(ascii: "t")]
        templateTag = index.intern(templateName.span)
        index.pin(templateTag)
        for tag in nativeTags { index.pin(tag) }
        self.nativeTags = nativeTags
        self.index = index
        byDevice = DeviceIndex(seed: seed)
    }

    // MARK: Sessions

    /// The place of a device's newest session; nil when it has none here.
    func sessionPlace(of device: DeviceID) -> Int? { byDevice.place(of: device, in: sessions) }

    /// The places of all devices' newest sessions, in no telling order.
    var openSessions: [Int] { byDevice.places }

    /// The same, by device.
    var sessionsByDevice: [Int] {
        byDevice.places.sorted { sessions[$0].device < sessions[$1].device }
    }

    /// Puts a session into a free place.
    func insert(_ session: consuming DeviceSession) -> Int {
        let device = session.device
        let place: Int
        if let free = freeSessions.popLast() {
            sessions[free] = session
            place = free
        } else {
            place = sessions.count
            sessions.appendSparingly(session)
        }
        // A session that is taken over goes later.
        if sessionPlace(of: device) == nil {
            byDevice.insert(place, in: sessions)
        } else {
            byDevice.move(device, to: place, in: sessions)
        }
        if case .catchingUp(let state) = sessions[place].mode { startReading(place, state) }
        return place
    }

    /// Takes a session out of the index and frees its place.
    func remove(_ place: Int) {
        missTransients(place)
        for position in sessions[place].registrations.indices { withdraw(place, position) }
        stopReading(place)
        let device = sessions[place].device
        if sessionPlace(of: device) == place { byDevice.remove(device, in: sessions) }
        forgetUnsent(place)
        sessions[place].hasMoved = false
        sessions[place].registrations = SessionRegistrations()
        sessions[place].mode = .live
        sessions[place].turnFirst = -1
        sessions[place].turnLast = -1
        freeSessions.append(place)
    }

    // MARK: Index

    /// The class tag that native sends of a platform, or template sends, are restricted to.
    func classTag(of format: NotificationFormat) -> TagID {
        switch format {
        case .native(let platform): nativeTags[Int(platform.rawValue)]
        case .template: templateTag
        }
    }

    /// Indexes every registration of a session: from now on the feed brings its notifications.
    func enterIndex(_ place: Int) {
        stopReading(place)
        sessions[place].mode = .live
        for position in sessions[place].registrations.indices { post(place, position) }
    }

    /// Takes a session's registrations out of the index.
    func leaveIndex(_ place: Int) {
        for position in sessions[place].registrations.indices {
            guard let slot = sessions[place].registrations[position].slot else { continue }
            let tags = indexedTags(slot, isTemplate: slots[Int(slot.raw)].template != 0)
            withdraw(place, position)
            sessions[place].registrations[position].leave(with: tags)
        }
    }

    /// The tags of a registration in the index, as they were first spelled here.
    private func indexedTags(_ slot: SlotIndex, isTemplate: Bool) -> TagSet {
        let base =
            isTemplate ? templateTag : nativeTags[Int(slots[Int(slot.raw)].platform.rawValue)]
        var found: [TagID] = []
        var bytes = 0
        index.forEachTag(of: slot) { tag in
            guard tag != base else { return }
            found.append(tag)
            bytes += index.withSpelling(of: tag) { $0.count }
        }
        var tags = TagSet()
        tags.reserveCapacity(tags: found.count, bytes: bytes)
        for tag in found { index.withSpelling(of: tag) { _ = tags.append($0) } }
        return tags
    }

    /// Puts a registration of a live session into the index.
    func post(_ place: Int, _ position: Int) {
        let item = sessions[place].registrations[position]
        // A stored template that no longer compiles cannot be rendered.
        guard item.slot == nil, item.isDeliverable, let target = item.slotOfDevice else { return }
        let entry = IndexedSlot(
            session: Int32(place),
            slot: target,
            platform: item.platform,
            codec: sessions[place].codec,
            template: item.template?.key ?? 0,
            variables: item.variables
        )
        let slot: SlotIndex
        if let free = freeSlots.popLast() {
            slots[Int(free)] = entry
            slot = SlotIndex(raw: free)
        } else {
            slot = SlotIndex(raw: UInt32(slots.count))
            slots.appendSparingly(entry)
        }
        var tags = [classTag(of: item.isTemplate ? .template : .native(item.platform))]
        item.tags.forEach { tag in tags.append(index.intern(tag)) }
        index.insert(slot, tags: tags)
        sessions[place].registrations[position].enter(slot)
    }

    /// Takes a registration out of the index; without its tags, as it is of no more use.
    func withdraw(_ place: Int, _ position: Int) {
        guard let slot = sessions[place].registrations[position].slot else { return }
        index.remove(slot)
        freeSlots.append(slot.raw)
        sessions[place].registrations[position].leave(with: TagSet())
    }

    /// Makes the shard flush this session's connection at the end of the turn.
    func markDue(_ place: Int) { due.append(place) }

    // MARK: Cursors

    /// How far a session's device has come.
    ///
    /// When nothing is in flight or held, everything evaluated is done with, matches or not.
    func cursor(of place: Int) -> CursorAdvance {
        let session = sessions[place]
        var evaluated = applied
        if case .catchingUp(let state) = session.mode {
            evaluated = max(session.counted.through, state.scanned)
            if state.scanned < session.recountThrough {
                // Notifications beyond that the device has stored are not counted yet.
                return CursorAdvance(
                    device: session.device,
                    sessionGeneration: session.generation,
                    acknowledged: state.scanned,
                    scannedThrough: state.scanned,
                    evaluatedThrough: evaluated
                )
            }
        }
        var scanned = session.acknowledged
        // A device that did not hear of a loss must hear of it when it comes again.
        if session.window.messages == 0, session.turnFirst < 0, session.loss == nil {
            switch session.mode {
            case .live: scanned = max(scanned, applied)
            case .catchingUp(let state) where state.held.isEmpty:
                scanned = max(scanned, state.scanned)
            case .catchingUp: break
            }
        }
        return CursorAdvance(
            device: session.device,
            sessionGeneration: session.generation,
            acknowledged: limits.planted.has(.cursorMovedOnSend)
                ? session.sentThrough : session.acknowledged,
            scannedThrough: scanned,
            evaluatedThrough: evaluated
        )
    }

    /// Whether a session that ends has something to report.
    ///
    /// Nothing is stored of a device before its first registration or acknowledgement.
    /// Source: rules C.2.
    func leavesTrace(_ place: Int) -> Bool {
        let session = sessions[place]
        return !session.registrations.isEmpty
            || session.acknowledged > session.recountThrough
    }

    /// Everything through `sequence` is stored on a session's device, which says so the first time.
    func acknowledge(_ place: Int, through sequence: UInt64) {
        let (messages, hadMoved, isLive) = sessions[place].acknowledge(through: sequence)
        counters.acknowledged += UInt64(messages)
        if !hadMoved { movedCursors.append(place) }
        if !isLive, !limits.planted.has(.windowDeadlock) { markDue(place) }
    }

    /// Whether the next report should not wait.
    var isReportFull: Bool {
        tally.isFull || receipts.count >= limits.receiptsPerReport
            || unsentWaiting >= limits.unsentPerReport
    }

    /// The session's cursor goes into the next report.
    func noteMoved(_ place: Int) {
        guard !sessions[place].hasMoved else { return }
        sessions[place].hasMoved = true
        movedCursors.append(place)
    }

    /// Counts a match that is not sent, once for each device, registration and notification.
    func countUnsent(_ kind: TelemetryKind, _ sequence: UInt64, _ platform: Platform, _ place: Int)
    {
        // The counter and how far it counts must become durable together, or neither.
        sessions[place].unsent.append(
            CounterDelta(sequence: sequence, platform: platform, kind: kind, count: 1)
        )
        unsentWaiting += 1
        noteMoved(place)
    }

    /// Forgets the counts of a session, which were told or go with it.
    private func forgetUnsent(_ place: Int) {
        unsentWaiting -= sessions[place].unsent.count
        sessions[place].unsent = []
    }

    // MARK: Reports

    /// Whether there is something that the directory does not know yet.
    var owesReport: Bool {
        !movedCursors.isEmpty || !tally.isEmpty || !receipts.isEmpty || applied > reportedApplied
    }

    /// Takes the report for the directory; nil when nothing changed.
    ///
    /// `ending` is a session whose cursor goes with it, moved or not.
    func takeReport(of shard: Int, ending: Int? = nil) -> ProgressReport? {
        if let ending { noteMoved(ending) }
        guard owesReport else { return nil }
        var report = ProgressReport(shard: shard, applied: applied, appliedAt: appliedAt)
        report.cursors.reserveCapacity(movedCursors.count)
        for place in movedCursors where sessions[place].hasMoved {
            sessions[place].hasMoved = false
            var advance = cursor(of: place)
            advance.entries = sessions[place].window.takeAcknowledged(into: &report.acknowledged)
            advance.unsent = sessions[place].unsent.count
            report.unsent += sessions[place].unsent
            forgetUnsent(place)
            report.cursors.append(advance)
        }
        movedCursors.removeAll(keepingCapacity: true)
        report.counters = tally.take()
        report.receipts = receipts
        receipts.removeAll(keepingCapacity: true)
        reportedApplied = applied
        return report
    }
}
