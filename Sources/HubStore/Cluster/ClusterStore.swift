package import HubCluster
package import HubModel
package import HubVocabulary

/// A hub's store in a database, read in the files of a copy beside it.
///
/// A commit is one group: its changes and records are stored together or not at all. The copy gets
/// it afterwards; while that fails the store reads and takes nothing.
package final class ClusterStore: HubStorage, CopiedStorage {
    /// A group that is stored and not in the copy yet.
    private struct Missing {
        var group: CommitGroup
        var headBefore: UInt64
        var mark: ChangeMark?
    }

    /// Numbers that an epoch leaves out after the database was set back: copies of other nodes may
    /// have seen more of what was lost than this one.
    package static let numbersLeftOut: UInt64 = 1 << 20

    /// The events of opening that an operator should hear of.
    package let events: [StoreEvent]
    /// Whether the copy has every group; any thread asks.
    package let copyWrites = CopyWrites()
    private let groups: any GroupLog
    private let copy: HubCopy
    private let copyReader: CopyReader
    private var missing: Missing?
    private var changesKept = ChangesKept()
    private var keysBefore = Timestamp(milliseconds: 0)
    private var trimmed = TrimExtent()

    /// Opens a hub that `groups` leads, with its copy in `folder`, which may be empty or old.
    ///
    /// `epochSeed` must be random: it names the epoch when the log is new or the database was set
    /// back. A copy that is damaged, or of another past, is filled anew.
    /// - Throws: what opening and filling the copy, and reading the database, throw; the error of
    ///   `ending` once it has come.
    package init(
        groups: any GroupLog,
        folder path: String,
        epochSeed: UInt64,
        limits: StoreLimits = StoreLimits(),
        numbersLeftOut: UInt64 = ClusterStore.numbersLeftOut,
        ending: StoreEnding = StoreEnding(),
        progress tell: @escaping (String) -> Void = { _ in }
    ) throws(StoreError) {
        let progress = OpeningProgress(limits, ending: ending, tell: tell)
        let opening = CopyOpening(
            try StoreFolder(path: path),
            limits,
            numbersLeftOut: numbersLeftOut,
            progress
        )
        (copy, events) = try opening.open(groups, epochSeed: epochSeed)
        self.groups = groups
        copyReader = CopyReader(copy.log, copyWrites)
    }

    /// Goes on with the copy of a node that waited, whose observer ends where the hub begins: void, or
    /// with everything that the copy has.
    package init(
        groups: any GroupLog,
        taking standby: StandbyCopy,
        epochSeed: UInt64
    ) throws(StoreError) {
        let opened = try standby.opening.open(groups, epochSeed: epochSeed, with: standby.copy)
        (copy, events) = opened
        self.groups = groups
        copyReader = CopyReader(copy.log, copyWrites)
        try standby.checkObserver(of: copy)
        copy.observer = nil
    }

    /// Removes the copy in a folder that no store holds; the next store fills it anew.
    package static func removeCopy(in path: String, limits: StoreLimits) throws(StoreError) {
        try CopyOpening.removeCopy(in: path, limits)
    }

    deinit { close() }

    package var bounds: LogBounds {
        guard var bounds = groups.place.bounds else {
            preconditionFailure("a database without an epoch")
        }
        bounds.first = max(bounds.first, copy.bounds.first)
        return bounds
    }

    package var registrationNumberMax: UInt32 { groups.place.numberMax }

    package var reader: any LogReading { copyReader }

    package var keyReader: any KeyReading { copyReader }

    package func current() throws(StoreError) -> HubCopy {
        guard let missing else { return copy }
        do throws(StoreError) {
            try copy.apply(missing.group, headBefore: missing.headBefore, mark: missing.mark)
        } catch {
            copyWrites.note(error)
            throw error
        }
        self.missing = nil
        copyWrites.note(nil)
        return copy
    }

    // MARK: Commit

    package func commit(
        changes: [StoredChange],
        records: [NotificationRecord]
    ) -> CommitResult {
        do throws(StoreError) {
            try store(changes, records)
            return CommitResult()
        } catch {
            return CommitResult(
                changes: changes.isEmpty ? nil : error,
                records: records.isEmpty ? nil : error
            )
        }
    }

    private func store(
        _ changes: [StoredChange],
        _ records: [NotificationRecord]
    ) throws(StoreError) {
        guard !changes.isEmpty || !records.isEmpty else { return }
        _ = try current()
        let place = groups.place
        let group = place.next(changes, records)
        try groups.append(group, GroupEffect(changes, head: place.head))
        missing = Missing(
            group: CommitGroup(number: group.number, changes: changes, records: records),
            headBefore: place.head,
            mark: group.changeMark
        )
        // The group is durable whatever the copy says; each later call tries it again.
        _ = try? current()
    }

    // MARK: Devices

    package func checkpoint(_ batch: CheckpointBatch) throws(StoreError) {
        try groups.checkpoint(batch, reports: groups.place.reports)
    }

    package var checkpointNumber: UInt64 { groups.place.checkpoint }

    /// The counters of one notification, as far as they are durable.
    package func counters(of sequence: UInt64) throws(StoreError) -> [CounterDelta] {
        try groups.counters(of: sequence)
    }

    package func lanes() throws(StoreError) -> [StoredLane] { try groups.lanes() }

    package func relayFailures(
        of sequence: UInt64,
        platform: Platform
    ) throws(StoreError) -> [RelayFailure] {
        try groups.relayFailures(of: sequence, platform: platform)
    }

    package func forEachCursor(_ body: (StoredCursor) -> Void) throws(StoreError) {
        try groups.forEachCursor(body)
    }

    package func cursorJournal(behind mark: JournalMark) throws(StoreError) -> JournalNews {
        try groups.cursorJournal(behind: mark)
    }

    package func probe() throws(StoreError) {
        try groups.probe()
        try current().probe()
    }

    // MARK: Housekeeping

    /// The copy says what may go; the database follows.
    package func tidy(now: Now, retention: RecordRetention) throws(StoreError) -> TidyResult {
        let copy = try current()
        var result = try copy.tidy(now: now, retention: retention)
        changesKept.note(groups.place.feed + 1, now: now.instant)
        guard !result.hasMore else { return result }
        var extent = TrimExtent()
        extent.first = copy.bounds.first
        extent.changesBelow = changesKept.first
        extent.keysBefore = keysBefore
        if groups.place.feed > 0 {
            extent.departuresBelow = try copy.registrations.departureNumbers()?.lowerBound ?? .max
        }
        guard extent != trimmed else { return result }
        result.hasMore = try groups.trim(extent)
        if !result.hasMore { trimmed = extent }
        return result
    }

    package func forgetKeys(before time: Timestamp) throws(StoreError) -> Bool {
        let hasMore = try current().forgetKeys(before: time)
        keysBefore = max(keysBefore, time)
        return hasMore
    }

    package func purge(through place: UInt64) throws(StoreError) {
        let copy = try current()
        try groups.purge(through: place)
        try copy.purge(through: place)
    }

    package func close() {
        // A closed hub is no reason to give the lead away.
        copyWrites.note(nil)
        groups.close()
        copy.close()
    }
}
