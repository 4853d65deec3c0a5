import HubClient
import HubModel
import HubStore
import HubVocabulary
import HubWire

// An app's notifications, held against those that it is owed.
extension Simulation {
    /// A message that was stored.
    func take(_ message: ReceivedNotification, _ index: Int, _ link: Int?, _ segment: Segment?) {
        deliveries += 1
        world.mix(message.id.low)
        guard let found = known(message, index) else { return }
        let record = ledger.records[found.record]
        world.tell(
            "device \(index) slot \(message.slot) gets \(record.sequence) text \(record.text)"
        )
        let entry = AppEntry(high: message.id.high, low: message.id.low, slot: message.slot)
        if !devices[index].stored.entries.insert(entry).inserted {
            world.violate("device \(index) slot \(message.slot) got \(record.sequence) twice")
        }
        if record.isTransient {
            world.violate("a transient notification \(record.sequence) is stored")
        } else if message.sequence != record.sequence {
            world.violate("record \(record.sequence) came as \(message.sequence ?? 0)")
        }
        if record.sequence < devices[index].stored.lastSequence {
            world.violate(
                "device \(index) got \(record.sequence) after \(devices[index].stored.lastSequence)"
            )
        }
        devices[index].stored.lastSequence = record.sequence
        devices[index].stored.through = max(devices[index].stored.through, record.sequence)
        ledger.noteStored(found.device, found.record, found.match)
        checkTimes(record, found, index, link, segment)
        if let link { checkNewest(found, index, link, segment) }
    }

    /// A message that was shown and not stored.
    func takeTransient(
        _ message: ReceivedNotification,
        _ index: Int,
        _ link: Int?,
        _ segment: Segment?
    ) {
        transientDeliveries += 1
        guard let found = known(message, index) else { return }
        let record = ledger.records[found.record]
        if !record.isTransient {
            world.violate("record \(record.sequence) came without its place")
            return
        }
        if let link, let head = links[link].session.attachedHead, !record.isLost,
            record.sequence <= head
        {
            world.violate(
                "transient \(record.sequence) came to a session that was opened at \(head)"
            )
        }
        let match = ledger.devices[found.device]?.matches[found.record]?[found.match]
        if match?.wasStored == true {
            world.violate(
                "device \(index) slot \(message.slot) got transient \(record.sequence) twice"
            )
        }
        ledger.noteStored(found.device, found.record, found.match)
    }

    struct Found {
        var device: DeviceID
        var record: Int
        var match: Int
    }

    /// The match that a message is for; a violation and nil when there is none.
    private func known(_ message: ReceivedNotification, _ index: Int) -> Found? {
        let id = NotificationID(high: message.id.high, low: message.id.low)
        guard let record = ledger.index(of: id) else {
            world.violate("device \(index) got \(id), which was never accepted")
            return nil
        }
        guard let device = devices[index].identity ?? sessionIdentity(index) else {
            world.violate("device \(index) got something before it had an identity")
            return nil
        }
        let matches = ledger.devices[device]?.matches[record] ?? []
        guard let match = matches.firstIndex(where: { $0.slot == message.slot }) else {
            let sequence = ledger.records[record].sequence
            world.violate(
                "device \(index) slot \(message.slot) got \(sequence), which it did not match"
            )
            return nil
        }
        if !expected(matches[match], record).contains(message.payload) {
            let text = String(decoding: message.payload, as: UTF8.self)
            world.violate(
                "device \(index) got other bytes of \(ledger.records[record].sequence): \(text)"
            )
        }
        return Found(device: device, record: record, match: match)
    }

    func sessionIdentity(_ index: Int) -> DeviceID? {
        devices[index].session.state.identity.map { DeviceID(high: $0.id.high, low: $0.id.low) }
    }

    /// The payloads that a match may bring.
    private func expected(_ match: Ledger.Match, _ record: Int) -> [[UInt8]] {
        let found = ledger.records[record]
        guard match.isTemplate else { return [found.body] }
        return (ledger.templates[match.number] ?? []).map { template in
            Workload.render(template, text: found.text)
        }
    }

    private func checkTimes(
        _ record: Ledger.Record,
        _ found: Found,
        _ index: Int,
        _ link: Int?,
        _ segment: Segment?
    ) {
        if let segment, record.expires <= segment.wall {
            world.violate(
                "record \(record.sequence) was sent to device \(index) after it had expired"
            )
        }
        let match = ledger.devices[found.device]?.matches[found.record]?[found.match]
        if let link, let number = match?.number, let removed = ledger.removed[number],
            links[link].session.attachedHead != nil, removed < links[link].session.attachedAt
        {
            world.violate(
                "record \(record.sequence) was sent to a registration that had been removed"
            )
        }
    }

    /// The session dropped an entry.
    func dropped(
        _ id: ID16,
        _ slot: UInt16,
        _ sequence: UInt64,
        _ drop: EntryDrop,
        _ index: Int,
        _ segment: Segment?
    ) {
        let key = NotificationID(high: id.high, low: id.low)
        guard let number = ledger.index(of: key) else {
            world.violate("device \(index) got \(id), which was never accepted")
            return
        }
        let record = ledger.records[number]
        if let device = sessionIdentity(index),
            let matches = ledger.devices[device]?.matches[number],
            let match = matches.firstIndex(where: { $0.slot == slot })
        {
            // It is acknowledged like those that are kept.
            ledger.noteStored(device, number, match)
            if drop == .expired { ledger.noteDropped(device, number, match) }
        } else {
            world.violate("device \(index) slot \(slot) got \(sequence), which it did not match")
        }
        switch drop {
        case .expired:
            if world.latest < record.expires {
                world.violate("device \(index) dropped \(sequence) as expired, too early")
            }
            if let segment, record.expires <= segment.wall {
                world.violate("record \(sequence) was sent to device \(index) after it had expired")
            }
        case .repeated:
            let entry = AppEntry(high: id.high, low: id.low, slot: slot)
            if !devices[index].stored.entries.contains(entry), world.latest < record.expires {
                world.violate("device \(index) dropped \(sequence) as repeated, and never got it")
            }
        }
    }

    /// WELCOME said that everything up to here may be lost.
    func lose(_ index: Int, through sequence: UInt64) {
        guard let device = sessionIdentity(index) else { return }
        let before = ledger.devices[device]?.lostThrough ?? 0
        ledger.devices[device, default: Ledger.Device()].lostThrough = max(before, sequence)
    }

    func refused(_ refusal: RequestRefusal, _ index: Int) {
        world.tell("device \(index): refused \(refusal)")
        switch ErrorNumber(rawValue: refusal.status) {
        case .unavailable, .storage, .rateLimited, .draining: break
        default: world.violate("a request of device \(index) is refused: \(refusal)")
        }
    }

    // MARK: The end

    /// Returns the records and slots that a device is owed for certain and has not got.
    func missing(_ index: Int) -> [(record: Int, slot: UInt16)] {
        guard let device = devices[index].identity, let known = ledger.devices[device] else {
            return []
        }
        var missing: [(record: Int, slot: UInt16)] = []
        let open = known.open.filter { record in
            let owed = (known.matches[record] ?? []).filter { match in
                isOwed(match, record, index, known)
            }
            missing += owed.map { (record, $0.slot) }
            return !owed.isEmpty || !isDelivered(record, index, known)
        }
        ledger.devices[device]?.open = open
        return missing
    }

    func has(_ record: Ledger.Record, _ slot: UInt16, _ index: Int) -> Bool {
        devices[index].stored.entries.contains(
            AppEntry(high: record.id.high, low: record.id.low, slot: slot)
        )
    }

    private func isDelivered(_ record: Int, _ index: Int, _ known: Ledger.Device) -> Bool {
        let found = ledger.records[record]
        return (known.matches[record] ?? []).allSatisfy {
            $0.wasDropped || has(found, $0.slot, index)
        }
    }

    func isOwed(
        _ match: Ledger.Match,
        _ record: Int,
        _ index: Int,
        _ known: Ledger.Device
    ) -> Bool {
        let found = ledger.records[record]
        if found.isTransient || found.isLost || has(found, match.slot, index) { return false }
        if found.hasExpired || found.expires <= world.now.time || match.wasDropped { return false }
        if let head = ledger.revived[match.number], found.sequence <= head { return false }
        if match.number != 0, ledger.history.rows[match.number] == nil { return false }
        if found.sequence <= known.lostThrough { return false }
        if known.losses.contains(where: { $0.contains(found.sequence) }) { return false }
        if ledger.isReplaced(match, record, known) { return false }
        // The same bytes for the same device go once.
        let twins = known.matches[record] ?? []
        return !twins.contains { twin in
            twin.slot != match.slot && twin.platform == match.platform
                && (has(found, twin.slot, index) || twin.wasDropped)
                && !Set(expected(twin, record)).isDisjoint(with: expected(match, record))
        }
    }

    /// The faults end; everything that is owed must arrive, soon.
    func drain() {
        world.isHealed = true
        world.tell("healed")
        diskFullUntil = 0
        disk.setFaults(MemoryFaults())
        for shard in hub?.shards ?? [] { shard.stalledUntil = min(shard.stalledUntil, world.time) }
        for link in links.indices {
            links[link].blockedUntil = 0
            heal(link)
        }
        retireClones()
        openWindows()
        let limit = world.time + 900_000_000
        var nextLook = world.time + 5_000_000
        while world.violations.isEmpty {
            step()
            guard world.time >= nextLook else { continue }
            nextLook = world.time + 5_000_000
            openWindows()
            if isDrained { break }
            if world.time > limit {
                tellMissing()
                break
            }
        }
        if world.violations.isEmpty { checkEnd() }
    }

    /// A network that works again resets what it had forgotten.
    private func heal(_ link: Int) {
        if links[link].isFull {
            links[link].isFull = false
            becomesWritable(link)
        }
        if links[link].isOpenAtHub, links[link].toDevice.isDead || links[link].toHub.isDead {
            cut(link)
        } else if links[link].isOpenAtDevice, links[link].toHub.isDead {
            cut(link)
        }
    }

    private func openWindows() {
        for index in devices.indices where devices[index].isPaused { pause(index, false) }
    }

    private var isDrained: Bool {
        guard hub != nil, workload.isSettled(self) else { return false }
        for index in devices.indices where !devices[index].isRetired {
            guard devices[index].session.isReady, missing(index).isEmpty else { return false }
        }
        return true
    }

    private func tellMissing() {
        if !workload.isSettled(self) {
            world.violate("callers wait for answers after the faults ended")
        }
        if hub == nil { world.violate("the hub is not back") }
        for index in devices.indices where !devices[index].isRetired {
            if !devices[index].session.isReady { world.violate("device \(index) is not connected") }
            for one in missing(index).prefix(5) {
                let record = ledger.records[one.record]
                world.violate("device \(index) slot \(one.slot) never got \(record.sequence)")
            }
        }
    }

    private func checkEnd() {
        workload.check(self)
        // The last acknowledgements, reports and checkpoints.
        let end = world.time + 12_000_000
        while world.time < end, world.violations.isEmpty { step() }
        checkReports()
        if world.violations.isEmpty { checkCounters() }
    }

    /// Each shard has told how far it is, also one without connections.
    private func checkReports() {
        guard let hub,
            let last = ledger.history.log.last(where: {
                ledger.records[$0].time + 6_000_000 <= world.time
            })
        else { return }
        let head = ledger.records[last].sequence
        for (number, shard) in hub.shards.enumerated() where shard.reported < head {
            world.violate("shard \(number) told of \(shard.reported) long after \(head)")
        }
    }

    /// Whether every acknowledgement must have been counted: what a crash lost is counted again
    /// when devices show their positions, unless the hub or a device was set back.
    private var countsExactly: Bool {
        let lossy: [FaultKind] = [
            .deviceRollback, .reinstall, .restoredBackup, .lostWrites, .clonedDevice,
        ]
        return world.plan.core.devices.recountRecordsMax > 1_000 && ledger.cut.isEmpty
            && lossy.allSatisfy { world.faults[$0.rawValue] == 0 }
    }

    /// Whether a record is old enough, and each registration for which it was stored is still
    /// there; direct sends may go to devices that the hub does not know yet.
    private func isWhole(_ index: Int) -> Bool {
        guard ledger.records[index].time + 12_000_000 <= world.time else { return false }
        return ledger.devices.values.allSatisfy { device in
            (device.matches[index] ?? []).allSatisfy {
                !$0.wasStored || ledger.history.rows[$0.number] != nil
            }
        }
    }

    /// Nothing counts as acknowledged more often than devices stored it.
    private func checkCounters() {
        guard let hub else { return }
        disk.setFaults(MemoryFaults())
        let places = ledger.history.log.count
        guard places > 0 else { return }
        for _ in 0..<min(24, places) {
            let index = ledger.history.log[Int(world.below(UInt64(places)))]
            let record = ledger.records[index]
            guard !record.isTransient, record.sequence >= ledger.history.first else { continue }
            do throws(StoreError) {
                let counters = try hub.store.counters(of: record.sequence)
                let count = counters.filter { $0.kind == .acknowledged }.reduce(0) { $0 + $1.count }
                world.tell("\(record.sequence): \(count) of \(record.stored)")
                if count < record.stored, countsExactly, isWhole(index) {
                    world.violate(
                        "record \(record.sequence) counts \(count) acknowledgements, "
                            + "all of \(record.stored) came"
                    )
                }
                // A match that had expired, or was replaced, when it was read again may or may not
                // have been sent before.
                if count > record.stored, !record.hasExpired, record.expires > world.now.time,
                    record.collapseKey.isEmpty, !isAnnounced(record), !isRevived(index)
                {
                    world.violate(
                        "record \(record.sequence) counts \(count) acknowledgements, "
                            + "stored were \(record.stored)"
                    )
                }
            } catch {
                world.violate("counters cannot be read: \(error)")
            }
        }
    }
}
