import HubModel
import HubParcel
import HubTags
import HubVocabulary

/// One hub on one shard: the index of its connected devices, their sessions, and the fan-out.
///
/// Owned by the shard's thread. Registrations are indexed only while their session is live; every
/// other session reads the log. Source: rules A.4.
final class HubShard {
    let name: HubName
    let secret: HubSecret
    let limits: SessionLimits
    var retentionSeconds: UInt32
    /// Devices of the hub, as its directory counted them last.
    var devices = 0
    var maker: ParcelMaker
    /// Notifications kept for one absence of a device.
    var deviceCap: Int
    /// The place through which an operator purged records.
    var purgedThrough: UInt64

    /// Keys revoked so far: the present generation where it is not 0.
    var keyGenerations: [DeviceID: UInt32] = [:]

    var live: LiveIndex
    var sessions: OpenSessions
    var feed: FeedPlace
    var turn = TurnLists()
    var report: PendingReport
    var counters = ShardCounters()
    var followed: FollowedDeliveries

    /// An empty shard of a hub whose log stands at `head`.
    init(_ configuration: ShardHubConfiguration, limits: SessionLimits, seed: UInt64, now: Now) {
        name = configuration.name
        secret = configuration.secret
        self.limits = limits
        retentionSeconds = configuration.retentionSeconds
        deviceCap = configuration.deviceCap
        purgedThrough = configuration.purgedThrough
        maker = ParcelMaker(payloadBytesMax: configuration.payloadBytesMax)
        keyGenerations = configuration.keyGenerations
        feed = FeedPlace(
            applied: configuration.bounds.head,
            check: configuration.headCheck,
            at: now.time,
            epoch: configuration.bounds.epoch
        )
        report = PendingReport(applied: configuration.bounds.head)
        live = LiveIndex(seed: seed)
        sessions = OpenSessions(seed: seed)
        followed = FollowedDeliveries(limits)
    }

    // MARK: Sessions

    /// Takes a session out of the index and frees its row.
    func remove(_ index: SessionIndex) {
        missTransients(index)
        for position in sessions[index].registrations.indices { withdraw(index, position) }
        forgetUnsent(index)
        sessions.remove(index)
    }

    // MARK: Index

    /// Indexes every registration of a session: from now on the feed brings its notifications.
    func enterIndex(_ index: SessionIndex) {
        sessions.stopReading(index)
        for position in sessions[index].registrations.indices { post(index, position) }
    }

    /// Takes a session's registrations out of the index.
    func leaveIndex(_ index: SessionIndex) {
        for position in sessions[index].registrations.indices {
            guard let slot = sessions[index].registrations[position].slot else { continue }
            let tags = live.tags(of: slot)
            withdraw(index, position)
            sessions[index].registrations[position].leave(with: tags)
        }
    }

    /// Puts a registration of a live session into the index.
    func post(_ index: SessionIndex, _ position: Int) {
        let item = sessions[index].registrations[position]
        // A stored template that no longer compiles cannot be rendered.
        guard item.slot == nil, item.isDeliverable, let target = item.slotOfDevice else { return }
        let entry = IndexedSlot(
            session: index,
            slot: target,
            platform: item.platform,
            codec: sessions[index].codec,
            template: item.template?.key ?? 0,
            variables: item.variables
        )
        let slot = live.insert(entry, of: item)
        sessions[index].registrations[position].enter(slot)
    }

    /// Takes a registration out of the index; without its tags, as it is of no more use.
    func withdraw(_ index: SessionIndex, _ position: Int) {
        guard let slot = sessions[index].registrations[position].slot else { return }
        live.remove(slot)
        sessions[index].registrations[position].leave(with: TagSet())
    }

    /// Makes the shard flush this session's connection at the end of the turn.
    func markDue(_ index: SessionIndex) { turn.due.append(index) }

    // MARK: Cursors

    /// How far a session's device has come.
    ///
    /// When nothing is in flight or held, everything evaluated is done with, matches or not.
    func cursor(of index: SessionIndex) -> CursorAdvance {
        let session = sessions[index]
        var evaluated = feed.applied
        if case .catchingUp(let state) = session.mode {
            evaluated = max(session.counts.counted.through, state.scanned)
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
        var scanned = session.progress.acknowledged
        // A device that did not hear of a loss must hear of it when it comes again.
        if session.window.messages == 0, session.turn.isEmpty, session.loss == nil {
            switch session.mode {
            case .live: scanned = max(scanned, feed.applied)
            case .catchingUp(let state) where state.held.isEmpty:
                scanned = max(scanned, state.scanned)
            case .catchingUp: break
            }
        }
        return CursorAdvance(
            device: session.device,
            sessionGeneration: session.generation,
            acknowledged: session.progress.acknowledged,
            scannedThrough: scanned,
            evaluatedThrough: evaluated
        )
    }

    /// Whether a session that ends has something to report.
    ///
    /// Nothing is stored of a device before its first registration or acknowledgement.
    /// Source: rules C.2.
    func leavesTrace(_ index: SessionIndex) -> Bool {
        let session = sessions[index]
        return !session.registrations.isEmpty
            || session.progress.acknowledged > session.recountThrough
    }

    /// Everything through `sequence` is stored on a session's device, which says so the first time.
    func acknowledge(_ index: SessionIndex, through sequence: UInt64, now: Now) {
        if followed.newest > sessions[index].progress.acknowledged {
            followed.acknowledged(by: sessions[index], through: sequence, at: now.instant)
        }
        let (messages, sent, hadMoved, isLive) = sessions[index].acknowledge(through: sequence)
        counters.acknowledged += UInt64(messages)
        if let sent { counters.latencies.acknowledged.add(from: sent, to: now.instant) }
        if !hadMoved { report.noteMoved(index) }
        if !isLive { markDue(index) }
    }

    /// The session's cursor goes into the next report.
    func noteMoved(_ index: SessionIndex) {
        if sessions[index].noteMoved() { report.noteMoved(index) }
    }

    /// Counts a match that is not sent, once for each device, registration and notification.
    func countUnsent(
        _ kind: TelemetryKind,
        _ sequence: UInt64,
        _ platform: Platform,
        _ index: SessionIndex
    ) {
        sessions[index].countUnsent(kind, sequence, platform)
        report.unsent += 1
        noteMoved(index)
    }

    /// Forgets the counts of a session, which were told or go with it.
    private func forgetUnsent(_ index: SessionIndex) {
        report.unsent -= sessions[index].counts.unsent.count
        sessions[index].counts.unsent = []
    }

    // MARK: Reports

    /// Whether there is something that the directory does not know yet.
    var owesReport: Bool { report.isOwed(applied: feed.applied) }

    /// Whether the next report should not wait.
    var isReportFull: Bool { report.isFull(limits) }

    /// Takes the report for the directory; nil when nothing changed.
    ///
    /// `ending` is a session whose cursor goes with it, moved or not.
    func takeReport(of shard: Int, ending: SessionIndex? = nil) -> ProgressReport? {
        if let ending { noteMoved(ending) }
        guard owesReport else { return nil }
        var told = ProgressReport(shard: shard, applied: feed.applied, appliedAt: feed.at)
        told.cursors.reserveCapacity(report.moved.count)
        for index in report.moved where sessions[index].hasMoved {
            sessions[index].hasMoved = false
            var advance = cursor(of: index)
            advance.entries = sessions[index].window.takeAcknowledged(into: &told.acknowledged)
            advance.unsent = sessions[index].counts.unsent.count
            told.unsent += sessions[index].counts.unsent
            forgetUnsent(index)
            told.cursors.append(advance)
        }
        report.empty(into: &told)
        return told
    }
}
