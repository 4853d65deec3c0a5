import HubModel
import HubTables
import HubVocabulary

/// The reports of shards and lanes: cursors, acknowledgements, counts, receipts and marks, which stay
/// together until a checkpoint makes them durable.
final class ProgressBook {
    /// Milliseconds after which changed cursors are due.
    ///
    /// Source: rules B.5.
    static let checkpointMilliseconds: UInt64 = 1_000
    private static let dayMilliseconds: UInt64 = 86_400_000
    private static let floorMilliseconds: UInt64 = 3_600_000

    private let limits: CoreLimits
    private let log: HubLog
    private let devices: DeviceTable
    private let outbox: Outbox
    private var counters: TelemetryBook
    private var checks: ReceiptChecks
    private var curves: ReceiptCurves
    /// Counters of notifications below are forgotten; nil until it was worked out.
    private var floor: (sequence: UInt64, since: Instant)?
    private var lastCheckpoint: Instant
    /// The lanes to push services.
    private(set) var lanes: LaneBook
    /// The platforms whose services have a credential.
    var relays: [Platform: RelayPlace] = [:]
    /// Reports of lanes that no batch has.
    private var reported: [(progress: LaneProgress, reply: LaneReply)] = []
    /// Those of the batch which the store has.
    private var waiting: [(progress: LaneProgress, reply: LaneReply)] = []

    typealias LaneReply = @Sendable (Result<Bool, Refusal>) -> Void

    /// Counts from the present head on.
    init(
        _ storage: any HubStorage,
        shards: Int,
        limits: CoreLimits,
        log: HubLog,
        devices: DeviceTable,
        registrations: RegistrationTable,
        outbox: Outbox,
        now: Instant
    ) throws(StoreError) {
        self.limits = limits
        self.log = log
        self.devices = devices
        self.outbox = outbox
        counters = TelemetryBook(
            limits: limits,
            shards: shards,
            head: storage.bounds.head,
            lastBatch: storage.checkpointNumber
        )
        checks = ReceiptChecks(
            log: log,
            registrations: registrations,
            outbox: outbox,
            limits: limits
        )
        curves = ReceiptCurves(limits.telemetry)
        lastCheckpoint = now
        lanes = LaneBook(try storage.lanes())
    }

    /// Everything through this place was fanned out by every shard, or by an earlier process.
    var fannedOut: UInt64 { counters.fannedOut }

    /// Returns a lane's failures for a notification, those that are not durable yet included: its
    /// mark and counts show at once too.
    func relayFailures(
        of sequence: UInt64,
        platform: Platform
    ) throws(StoreError) -> [RelayFailure] {
        let recent = (waiting + reported).filter { $0.progress.platform == platform }
            .flatMap(\.progress.failures).filter { $0.sequence == sequence }
        let known = Set(recent.map(\.registration))
        return try log.relayFailures(of: sequence, platform: platform)
            .filter { !known.contains($0.registration) } + recent
    }

    /// Returns everything counted of a notification, what is not durable yet included.
    func counts(of sequence: UInt64) throws(StoreError) -> CounterTable {
        CounterTable(try log.counters(of: sequence) + counters.waiting(of: sequence))
    }

    /// How old a notification was when devices told of it; nil when that is not known any more.
    func curve(of sequence: UInt64) -> ReceiptCurve? { curves[sequence] }

    /// Counts a delta, and when it came.
    private func add(_ delta: CounterDelta, now: Now) {
        counters.add(delta)
        guard ReceiptCurve.kinds.contains(delta.kind),
            let accepted = log.recent.time(at: delta.sequence)
        else { return }
        let (then, now) = (accepted.milliseconds, now.time.milliseconds)
        curves.add(delta, age: now - min(then, now))
    }

    // MARK: Reports

    /// Takes a shard's report.
    ///
    /// An acknowledgement counts when the device's cursor passes it, so never twice: what an older
    /// session reports is left out, and counted when the device shows its position. So is what an
    /// older session counted of matches that are not sent: the newer one comes past them again.
    /// Source: rules A.5, B.4.
    func receive(_ report: ProgressReport, now: Now) {
        var run = CounterRun()
        var first = 0
        var firstUnsent = 0
        for advance in report.cursors {
            let own = report.acknowledged[first..<first + advance.entries]
            first += advance.entries
            let unsent = report.unsent[firstUnsent..<firstUnsent + advance.unsent]
            firstUnsent += advance.unsent
            guard devices.isCurrent(advance.sessionGeneration, of: advance.device) else {
                outbox.tell(.staleSession)
                continue
            }
            let head = log.bounds.head
            let before = devices.advance(
                advance.device,
                acknowledged: min(advance.acknowledged, head),
                scannedThrough: min(advance.scannedThrough, head),
                evaluatedThrough: min(advance.evaluatedThrough, head),
                now: now.time
            )
            for entry in own where entry.sequence > before {
                if let whole = run.add(CounterDelta(entry)) { add(whole, now: now) }
            }
            for delta in unsent {
                if let whole = run.add(delta) { add(whole, now: now) }
            }
        }
        if let whole = run.finish() { add(whole, now: now) }
        for delta in report.counters { counters.add(delta) }
        receive(report.receipts, now: now)
        counters.noteApplied(report.shard, through: report.applied, at: report.appliedAt) {
            log.recent.time(at: $0)
        }
        let dropped = counters.takeDropped()
        if dropped > 0 { outbox.tell(.telemetryDropped(dropped)) }
    }

    /// Counts receipts of what was sent to their slots, each once, and tells how many were not counted.
    ///
    /// Those that would need too many reads of the store are left out too, and told as dropped.
    private func receive(_ receipts: [DeviceReceipt], now: Now) {
        var reads = limits.telemetry.receiptLookupsMax * ReceiptChecks.readsPerSearch
        var dropped = 0
        var ignored = 0
        for receipt in receipts {
            guard let kind = TelemetryKind(receipt: receipt.event) else { continue }
            switch checks.verdict(on: receipt, reads: &reads) {
            case .dropped: dropped += 1
            case .ignored: ignored += 1
            case .counts(let sequence, let platform):
                guard counters.receipts.insert(receipt) else { continue }
                add(
                    CounterDelta(sequence: sequence, platform: platform, kind: kind, count: 1),
                    now: now
                )
            }
        }
        if dropped > 0 { outbox.tell(.telemetryDropped(dropped)) }
        if ignored > 0 { outbox.tell(.receiptsIgnored(ignored)) }
    }

    /// Takes a lane's report; its counts are durable with its mark or not at all.
    func receive(_ report: LaneReport, _ reply: @escaping LaneReply) {
        for delta in report.counters { counters.add(delta) }
        lanes.note(report.progress)
        reported.append((report.progress, reply))
    }

    // MARK: Checkpoints

    /// Cursors and counters that are due to become durable: nothing, or all that changed.
    func checkpointDue(now: Now) -> CheckpointBatch? {
        let waited = now.instant.milliseconds(since: lastCheckpoint)
        guard waited >= Self.checkpointMilliseconds || counters.isUrgent else { return nil }
        return checkpoint(now: now)
    }

    /// All cursors and counters that changed since they were last taken; nil when none did.
    ///
    /// A batch that the store refused comes again, before everything else and unchanged.
    func checkpoint(now: Now) -> CheckpointBatch? {
        if let refused = counters.takeRefused() {
            lastCheckpoint = now.instant
            return refused
        }
        guard devices.dirtyCount > 0 || !counters.isEmpty || !reported.isEmpty else { return nil }
        lastCheckpoint = now.instant
        var batch = counters.takeBatch(devices.takeDirty(), floor: countersFloor(now: now))
        batch.lanes = reported.map(\.progress)
        waiting = reported
        reported = []
        return batch
    }

    /// The store has the last batch.
    func checkpointed() {
        answerLanes(true)
        waiting = []
    }

    private func answerLanes(_ isStored: Bool) {
        for (_, reply) in waiting {
            outbox.append(.answer(HubAnswer(.success(isStored), to: reply)))
        }
    }

    /// The store refused a batch: it will be due again.
    func checkpointFailed(_ batch: CheckpointBatch, _ error: StoreError) {
        counters.putBack(batch)
        answerLanes(false)
        outbox.tell(.checkpointRefused(error))
    }

    /// Below this place counters are forgotten: the record is gone, or it is too old.
    private func countersFloor(now: Now) -> UInt64 {
        if let floor, now.instant.milliseconds(since: floor.since) < Self.floorMilliseconds {
            return max(floor.sequence, log.bounds.first)
        }
        let age = limits.telemetry.telemetryDays * Self.dayMilliseconds
        let oldest = now.time.milliseconds > age ? now.time.milliseconds - age : 0
        var place = log.bounds.first
        do throws(StoreError) {
            let kept = try log.firstRecord { $0.id.time.milliseconds >= oldest }
            place = kept?.sequence ?? log.bounds.head + 1
        } catch {
            outbox.tell(.readRefused(error))
        }
        floor = (place, now.instant)
        return place
    }
}

/// Equal counts of neighbours, added up first: a broadcast has one for each device.
private struct CounterRun {
    private var delta: CounterDelta?

    /// Adds a count, and returns the sum of those before when it is of another row or kind.
    mutating func add(_ next: CounterDelta) -> CounterDelta? {
        if let known = delta, known.row == next.row, known.kind == next.kind {
            delta?.count += next.count
            return nil
        }
        defer { delta = next }
        return delta
    }

    /// Returns the last sum.
    mutating func finish() -> CounterDelta? {
        defer { delta = nil }
        return delta
    }
}

extension CounterDelta {
    fileprivate init(_ entry: AcknowledgedEntry) {
        self.init(
            sequence: entry.sequence,
            platform: entry.platform,
            kind: .acknowledged,
            count: UInt64(entry.count)
        )
    }
}
