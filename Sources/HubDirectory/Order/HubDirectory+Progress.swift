import HubModel
import HubVocabulary

// What shards report: cursors, acknowledgements, counts and receipts, which stay together.

extension HubDirectory {
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
                actions.append(.event(.staleSession))
                continue
            }
            let before = devices.advance(
                advance.device,
                acknowledged: min(advance.acknowledged, bounds.head),
                scannedThrough: min(advance.scannedThrough, bounds.head),
                evaluatedThrough: min(advance.evaluatedThrough, bounds.head),
                now: now.time
            )
            for entry in own where entry.sequence > before {
                run.add(CounterDelta(entry), to: &telemetry)
            }
            for delta in unsent { run.add(delta, to: &telemetry) }
        }
        run.finish(&telemetry)
        for delta in report.counters { telemetry.add(delta) }
        receive(report.receipts)
        telemetry.noteApplied(report.shard, through: report.applied, at: report.appliedAt) {
            recent.time(at: $0)
        }
        let dropped = telemetry.takeDropped()
        if dropped > 0 { actions.append(.event(.telemetryDropped(dropped))) }
    }

    /// Counts receipts, each once; those of unknown notifications and slots are left out.
    ///
    /// Those that would need too many reads of the log are left out too, and told as dropped.
    private func receive(_ receipts: [DeviceReceipt]) {
        var lookups = limits.receiptLookupsMax
        var dropped = 0
        for receipt in receipts {
            guard let kind = TelemetryKind(receipt: receipt.event) else { continue }
            guard lookups > 0 || isKnown(receipt.notification) else {
                dropped += 1
                continue
            }
            guard let found = find(receipt.notification, lookups: &lookups),
                let platform = platform(of: receipt, format: found.format),
                telemetry.receipts.insert(receipt)
            else { continue }
            telemetry.add(
                CounterDelta(
                    sequence: found.sequence,
                    platform: platform,
                    kind: kind,
                    count: 1
                )
            )
        }
        if dropped > 0 { actions.append(.event(.telemetryDropped(dropped))) }
    }

    /// Whether a notification is found without reading the log.
    private func isKnown(_ id: NotificationID) -> Bool {
        recent.covers(id) || lookedUp.find(id) != nil
    }

    private func find(
        _ id: NotificationID,
        lookups: inout Int
    ) -> LookedUpNotifications.Found? {
        if recent.covers(id) { return recent.find(id) }
        if let known = lookedUp.find(id) { return known }
        lookups -= 1
        do throws(StoreError) {
            guard let record = try record(of: id) else { return nil }
            let found = (sequence: record.sequence, format: record.draft.format)
            lookedUp.insert(id, found)
            return found
        } catch {
            actions.append(.event(.readRefused(error)))
            return nil
        }
    }

    /// The platform of the registration in the slot for which a notification came; nil when the
    /// device has none there that could have got it.
    private func platform(of receipt: DeviceReceipt, format: NotificationFormat) -> Platform? {
        if case .native(let platform) = format, receipt.slot == SlotNumber.direct {
            return platform
        }
        let number = table.places(of: receipt.device).number(in: receipt.slot)
        guard let facts = number.flatMap({ table.facts(of: $0) }) else { return nil }
        switch format {
        case .native(let platform): return facts.platform == platform ? platform : nil
        case .template: return facts.isTemplate ? facts.platform : nil
        }
    }

    // MARK: Records

    /// The record with an id, found by halving; nil when there is none.
    func record(of id: NotificationID) throws(StoreError) -> NotificationRecord? {
        if recent.covers(id) {
            guard let found = recent.find(id) else { return nil }
            return try record(at: found.sequence)
        }
        guard let found = try firstRecord(where: { !($0.id < id) }), found.id == id else {
            return nil
        }
        return found
    }

    /// The record at a place; nil when the log does not hold it.
    func record(at sequence: UInt64) throws(StoreError) -> NotificationRecord? {
        guard sequence >= bounds.first, sequence <= bounds.head else { return nil }
        return try reader.records(
            after: sequence - 1,
            through: sequence,
            limit: 1,
            bytesMax: 0
        ).first
    }

    /// The first record from which on a condition holds; at most 64 reads of one record.
    func firstRecord(
        where holds: (NotificationRecord) -> Bool
    ) throws(StoreError) -> NotificationRecord? {
        var low = bounds.first
        var high = bounds.head + 1
        var found: NotificationRecord?
        while low < high {
            let middle = low + (high - low) / 2
            // Behind an epoch that began above lost history there may be a hole.
            let next = try reader.records(
                after: middle - 1,
                through: bounds.head,
                limit: 1,
                bytesMax: 0
            ).first
            guard let next else {
                high = middle
                continue
            }
            if holds(next) {
                found = next
                high = middle
            } else {
                low = next.sequence + 1
            }
        }
        return found
    }

    /// Below this place counters are forgotten: the record is gone, or it is too old.
    func countersFloor(now: Now) -> UInt64 {
        if let floor, now.instant.milliseconds(since: floor.since) < 3_600_000 {
            return max(floor.sequence, bounds.first)
        }
        let age = limits.telemetryDays * 86_400_000
        let oldest = now.time.milliseconds > age ? now.time.milliseconds - age : 0
        var place = bounds.first
        do throws(StoreError) {
            let kept = try firstRecord { $0.id.time.milliseconds >= oldest }
            place = kept?.sequence ?? bounds.head + 1
        } catch {
            actions.append(.event(.readRefused(error)))
        }
        floor = (place, now.instant)
        return place
    }
}

/// Equal counts of neighbours, added up first: a broadcast has one for each device.
private struct CounterRun {
    private var delta: CounterDelta?

    mutating func add(_ next: CounterDelta, to book: inout TelemetryBook) {
        if let known = delta, known.row == next.row, known.kind == next.kind {
            delta?.count += next.count
            return
        }
        finish(&book)
        delta = next
    }

    mutating func finish(_ book: inout TelemetryBook) {
        if let delta { book.add(delta) }
        delta = nil
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
