import HubClient
import HubMemory
import HubModel
import HubVocabulary
import HubWire

/// An app's notifications, held against those that it is owed.
final class AppChecks {
    let world: World
    let ledger: Ledger
    let network: Network
    let machine: Machine
    /// Messages that apps got and stored.
    private(set) var deliveries = 0
    /// Transient messages that apps got.
    private(set) var transientDeliveries = 0

    init(_ machine: Machine) {
        world = machine.world
        ledger = machine.ledger
        network = machine.network
        self.machine = machine
    }

    /// A message that was stored.
    func take(
        _ message: ReceivedNotification,
        _ app: SimulatedDevice,
        _ link: Int?,
        _ segment: Segment?
    ) {
        deliveries += 1
        world.mix(message.id.low)
        guard let found = known(message, app) else { return }
        let record = ledger.records[found.record]
        world.tell(
            "device \(app.number) slot \(message.slot) gets \(record.sequence) text \(record.text)"
        )
        let entry = AppEntry(high: message.id.high, low: message.id.low, slot: message.slot)
        if !app.stored.entries.insert(entry).inserted {
            world.violate("device \(app.number) slot \(message.slot) got \(record.sequence) twice")
        }
        if record.isTransient {
            world.violate("a transient notification \(record.sequence) is stored")
        } else if message.sequence != record.sequence {
            world.violate("record \(record.sequence) came as \(message.sequence ?? 0)")
        }
        if record.sequence < app.stored.lastSequence {
            world.violate(
                "device \(app.number) got \(record.sequence) after \(app.stored.lastSequence)"
            )
        }
        app.stored.lastSequence = record.sequence
        app.stored.through = max(app.stored.through, record.sequence)
        ledger.noteStored(found.device, found.record, found.match)
        checkTimes(record, found, app, link, segment)
        if let link { checkNewest(found, app, link, segment) }
    }

    /// A message that was shown and not stored.
    func takeTransient(
        _ message: ReceivedNotification,
        _ app: SimulatedDevice,
        _ link: Int?,
        _ segment: Segment?
    ) {
        transientDeliveries += 1
        guard let found = known(message, app) else { return }
        let record = ledger.records[found.record]
        if !record.isTransient {
            world.violate("record \(record.sequence) came without its place")
            return
        }
        if let link, let head = network.links[link].session.attachedHead, !record.isLost,
            record.sequence <= head
        {
            world.violate(
                "transient \(record.sequence) came to a session that was opened at \(head)"
            )
        }
        let match = ledger.devices[found.device]?.matches[found.record]?[found.match]
        if match?.wasStored == true {
            world.violate(
                "device \(app.number) slot \(message.slot) got transient \(record.sequence) twice"
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
    private func known(_ message: ReceivedNotification, _ app: SimulatedDevice) -> Found? {
        let id = NotificationID(high: message.id.high, low: message.id.low)
        guard let record = ledger.index(of: id) else {
            world.violate("device \(app.number) got \(id), which was never accepted")
            return nil
        }
        guard let device = app.identity ?? app.sessionIdentity else {
            world.violate("device \(app.number) got something before it had an identity")
            return nil
        }
        let matches = ledger.devices[device]?.matches[record] ?? []
        guard let match = matches.firstIndex(where: { $0.slot == message.slot }) else {
            let sequence = ledger.records[record].sequence
            world.violate(
                "device \(app.number) slot \(message.slot) got \(sequence), which it did not match"
            )
            return nil
        }
        if !expected(matches[match], record).contains(message.payload) {
            let text = String(decoding: message.payload, as: UTF8.self)
            world.violate(
                "device \(app.number) got other bytes of \(ledger.records[record].sequence): \(text)"
            )
        }
        return Found(device: device, record: record, match: match)
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
        _ app: SimulatedDevice,
        _ link: Int?,
        _ segment: Segment?
    ) {
        if let segment, record.expires <= segment.wall {
            world.violate(
                "record \(record.sequence) was sent to device \(app.number) after it had expired"
            )
        }
        let match = ledger.devices[found.device]?.matches[found.record]?[found.match]
        if let link, let number = match?.number, let removed = ledger.removed[number],
            network.links[link].session.attachedHead != nil,
            removed < network.links[link].session.attachedAt
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
        _ app: SimulatedDevice,
        _ segment: Segment?
    ) {
        let key = NotificationID(high: id.high, low: id.low)
        guard let number = ledger.index(of: key) else {
            world.violate("device \(app.number) got \(id), which was never accepted")
            return
        }
        let record = ledger.records[number]
        if let device = app.sessionIdentity,
            let matches = ledger.devices[device]?.matches[number],
            let match = matches.firstIndex(where: { $0.slot == slot })
        {
            // It is acknowledged like those that are kept.
            ledger.noteStored(device, number, match)
            if drop == .expired { ledger.noteDropped(device, number, match) }
        } else {
            world.violate(
                "device \(app.number) slot \(slot) got \(sequence), which it did not match"
            )
        }
        switch drop {
        case .expired:
            if world.latest < record.expires {
                world.violate("device \(app.number) dropped \(sequence) as expired, too early")
            }
            if let segment, record.expires <= segment.wall {
                world.violate(
                    "record \(sequence) was sent to device \(app.number) after it had expired"
                )
            }
        case .repeated:
            let entry = AppEntry(high: id.high, low: id.low, slot: slot)
            if !app.stored.entries.contains(entry), world.latest < record.expires {
                world.violate(
                    "device \(app.number) dropped \(sequence) as repeated, and never got it"
                )
            }
        }
    }

    /// WELCOME said that everything up to here may be lost.
    func lose(_ app: SimulatedDevice, through sequence: UInt64) {
        guard let device = app.sessionIdentity else { return }
        let before = ledger.devices[device]?.lostThrough ?? 0
        ledger.devices[device, default: Ledger.Device()].lostThrough = max(before, sequence)
    }

    func refused(_ refusal: RequestRefusal, _ app: SimulatedDevice) {
        world.tell("device \(app.number): refused \(refusal)")
        switch ErrorNumber(rawValue: refusal.status) {
        case .unavailable, .storage, .rateLimited, .draining: break
        default: world.violate("a request of device \(app.number) is refused: \(refusal)")
        }
    }

    // MARK: The end

    /// Returns the records and slots that a device is owed for certain and has not got.
    func missing(_ app: SimulatedDevice) -> [(record: Int, slot: UInt16)] {
        guard let device = app.identity, let known = ledger.devices[device] else {
            return []
        }
        var missing: [(record: Int, slot: UInt16)] = []
        let open = known.open.filter { record in
            let owed = (known.matches[record] ?? []).filter { match in
                isOwed(match, record, app, known)
            }
            missing += owed.map { (record, $0.slot) }
            return !owed.isEmpty || !isDelivered(record, app, known)
        }
        ledger.devices[device]?.open = open
        return missing
    }

    func has(_ record: Ledger.Record, _ slot: UInt16, _ app: SimulatedDevice) -> Bool {
        app.stored.entries.contains(
            AppEntry(high: record.id.high, low: record.id.low, slot: slot)
        )
    }

    private func isDelivered(_ record: Int, _ app: SimulatedDevice, _ known: Ledger.Device) -> Bool
    {
        let found = ledger.records[record]
        return (known.matches[record] ?? []).allSatisfy {
            $0.wasDropped || has(found, $0.slot, app)
        }
    }

    func isOwed(
        _ match: Ledger.Match,
        _ record: Int,
        _ app: SimulatedDevice,
        _ known: Ledger.Device
    ) -> Bool {
        let found = ledger.records[record]
        if found.isTransient || found.isLost || has(found, match.slot, app) { return false }
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
                && (has(found, twin.slot, app) || twin.wasDropped)
                && !Set(expected(twin, record)).isDisjoint(with: expected(match, record))
        }
    }

    /// Each shard has told how far it is, also one without connections.
    func checkReports() {
        guard let hub = machine.hub,
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
    func checkCounters() {
        guard let hub = machine.hub else { return }
        machine.disk.setFaults(MemoryFaults())
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
