package import HubModel
package import HubVocabulary

/// A hub's store in SQLite files: `DIR/hubs/NAME/` with registrations, log and state.
///
/// Owned by the hub's writer thread; only `reader` may be used from others. Every commit has been
/// synced to the disk when it returns (`synchronous=FULL`, checked at opening).
package final class SQLiteStore: HubStorage, CopiedStorage {
    /// The events of opening that an operator should hear of.
    package let events: [StoreEvent]
    /// The hub's folder.
    package let path: String

    let copy: HubCopy
    let state: StateFile

    /// Opens a hub's files in `folder`, making what is missing, folders above included.
    ///
    /// `epochSeed` must be random: it names the epoch when the log is new or the files disagree.
    /// `progress` hears what is being done when that takes long, also while what is stored is read
    /// for the first time.
    /// - Throws: `.locked`, `.cannotOpen`, `.newerSchema`, `.olderSchema`, `.corrupted`,
    ///   `.notDurable`, `.full`, with the path and the system's reason.
    package init(
        folder path: String,
        epochSeed: UInt64,
        limits: StoreLimits = StoreLimits(),
        progress tell: @escaping (String) -> Void = { _ in }
    ) throws(StoreError) {
        self.path = path
        var progress = OpeningProgress(limits, tell: tell)
        let folder = try StoreFolder(path: path)
        let migration = try StoreMigration.prepare(folder, limits: limits, &progress)
        copy = try HubCopy(in: folder, keeping: .durable, limits: limits, progress: progress)
        state = try StateFile(path: try folder.file(StateFile.name), limits: limits)
        let agreed = try copy.agree(epochSeed: epochSeed)
        events = (migration.map { [$0] } ?? []) + agreed
    }

    deinit { close() }

    package var bounds: LogBounds { copy.bounds }

    package var registrationNumberMax: UInt32 { copy.numberMax }

    package var reader: any LogReading { copy.log }

    package var keyReader: any KeyReading { copy.log }

    package func current() throws(StoreError) -> HubCopy { copy }

    // MARK: Commit

    package func commit(
        changes: [StoredChange],
        records: [NotificationRecord]
    ) -> CommitResult {
        var result = CommitResult()
        do throws(StoreError) {
            try copy.commit(changes)
        } catch {
            result.changes = error
        }
        do throws(StoreError) {
            try copy.append(records)
        } catch {
            result.records = error
        }
        return result
    }

    // MARK: Devices

    package func checkpoint(_ batch: CheckpointBatch) throws(StoreError) {
        try state.checkpoint(batch)
    }

    package var checkpointNumber: UInt64 { state.batch }

    /// The counters of one notification, as far as they are durable.
    package func counters(of sequence: UInt64) throws(StoreError) -> [CounterDelta] {
        try state.counters(of: sequence)
    }

    package func lanes() throws(StoreError) -> [StoredLane] { try state.lanes() }

    package func relayFailures(
        of sequence: UInt64,
        platform: Platform
    ) throws(StoreError) -> [RelayFailure] {
        try state.failures(of: sequence, platform: platform)
    }

    package func forEachCursor(_ body: (StoredCursor) -> Void) throws(StoreError) {
        try state.forEachCursor(body)
    }

    // MARK: Housekeeping

    package func probe() throws(StoreError) {
        try copy.probe()
        try state.file.probe()
    }

    package func forgetKeys(before time: Timestamp) throws(StoreError) -> Bool {
        try copy.forgetKeys(before: time)
    }

    package func tidy(now: Now, retention: RecordRetention) throws(StoreError) -> TidyResult {
        try copy.tidy(now: now, retention: retention)
    }

    package func purge(through place: UInt64) throws(StoreError) {
        try copy.purge(through: place)
    }

    package func close() {
        copy.closeFiles()
        state.close()
        copy.folder.close()
    }
}
