import HubModel
import HubVocabulary
import HubWire

/// Writes one live session's entries of a turn.
///
/// Works on values handed to it, so that the inner loop touches neither classes nor counts of
/// references.
struct LivePass {
    /// Where it had to stop.
    enum End {
        case done
        /// The window, a doze or a full socket stopped it in front of this notification.
        case stopped(at: TurnParcel)
    }

    /// The counts of one pass; small, because it is made once per session and turn.
    struct Counts {
        var deliveries: UInt64 = 0
        var transientDeliveries: UInt64 = 0
        var transientMissed: UInt64 = 0
        var skipped: UInt64 = 0
    }

    /// A match that is not sent, for telemetry.
    struct Unsent {
        var kind: TelemetryKind
        var sequence: UInt64
        var platform: Platform
    }

    var framer: DeliveryFramer
    let room: Int
    let now: Now
    var counters = Counts()
    /// Nearly always empty.
    var unsent: [Unsent] = []

    init(framer: DeliveryFramer, room: Int, now: Now) {
        self.framer = framer
        self.room = room
        self.now = now
    }

    mutating func write(
        _ session: inout DeviceSession,
        entries: [TurnEntry],
        parcels: [TurnParcel],
        sent: inout [UInt32],
        into bytes: inout [UInt8]
    ) -> End {
        var position = session.turn.first
        var end = End.done
        while let index = position.value {
            let entry = entries[index]
            let turn = parcels[Int(entry.parcel)]
            let next = entry.next
            if let second = next.value,
                parcels[Int(entries[second].parcel)].sequence == turn.sequence
            {
                let group = Group(at: position, entries: entries, parcels: parcels)
                guard write(group, &session, sent: &sent, into: &bytes) else {
                    end = .stopped(at: turn)
                    break
                }
                position = group.next
            } else {
                let before = counters.deliveries
                guard write(turn, slot: entry.slot, &session, into: &bytes) else {
                    end = .stopped(at: turn)
                    break
                }
                sent[Int(entry.parcel)] += UInt32(truncatingIfNeeded: counters.deliveries - before)
                position = next
            }
        }
        if case .stopped = end {
            missTransients(from: position, entries: entries, parcels: parcels)
            framer.finish(backlog: 1, into: &bytes)
        } else {
            framer.finish(backlog: 0, into: &bytes)
        }
        session.progress.sentThrough = framer.complete
        return end
    }

    /// The common case: one entry for this sequence.
    private mutating func write(
        _ turn: TurnParcel,
        slot: UInt16,
        _ session: inout DeviceSession,
        into bytes: inout [UInt8]
    ) -> Bool {
        let size = turn.parcel.bytes.count + WireLimits.deliverEntryPrefixBytes
        let fits = bytes.count + size + Self.frameOverhead <= room
        if turn.parcel.isTransient {
            writeTransient(turn, slot: slot, fits: fits, &session, into: &bytes)
            return true
        }
        guard fits, !session.isDozing, framer.reaches(turn.sequence),
            session.window.admits(bytes: size)
        else { return false }
        framer.append(
            sequence: turn.sequence,
            slot: slot,
            continues: false,
            redelivered: false,
            parcel: turn.parcel.bytes,
            into: &bytes
        )
        session.window.sent(
            sequence: turn.sequence,
            platform: turn.platform,
            bytes: size,
            now: now.instant
        )
        counters.deliveries += 1
        return true
    }

    /// Header and body start of a DELIVER that an entry may have to open.
    private static let frameOverhead = WireLimits.frameHeaderBytes + 16

    /// Now or never: a session that cannot take it at once misses it.
    ///
    /// Source: rules B.8.
    private mutating func writeTransient(
        _ turn: TurnParcel,
        slot: UInt16,
        fits: Bool,
        _ session: inout DeviceSession,
        into bytes: inout [UInt8]
    ) {
        let size = turn.parcel.bytes.count + WireLimits.deliverEntryPrefixBytes
        guard fits, !session.isDozing, session.takesTransient, session.window.admits(bytes: size)
        else {
            counters.transientMissed += 1
            note(.missed, turn)
            return
        }
        framer.appendTransient(slot: slot, parcel: turn.parcel.bytes, into: &bytes)
        counters.transientDeliveries += 1
        counters.deliveries += 1
    }

    /// Behind the place where it stopped: the log brings the others again, and not these.
    private mutating func missTransients(
        from first: OptionalIndex,
        entries: [TurnEntry],
        parcels: [TurnParcel]
    ) {
        var position = first
        while let index = position.value {
            let entry = entries[index]
            let turn = parcels[Int(entry.parcel)]
            if turn.parcel.isTransient {
                counters.transientMissed += 1
                note(.missed, turn)
            }
            position = entry.next
        }
    }

    /// The entries of one sequence, ascending by slot.
    private struct Group {
        var sequence: UInt64
        var parts: [Part] = []
        var next: OptionalIndex

        struct Part {
            var slot: UInt16
            var number: Int32
            var turn: TurnParcel
        }

        /// The entries of the first sequence in a list.
        init(at first: OptionalIndex, entries: [TurnEntry], parcels: [TurnParcel]) {
            sequence = 0
            next = first
            while let index = next.value {
                let entry = entries[index]
                let turn = parcels[Int(entry.parcel)]
                if parts.isEmpty { sequence = turn.sequence }
                guard turn.sequence == sequence else { break }
                parts.append(Part(slot: entry.slot, number: entry.parcel, turn: turn))
                next = entry.next
            }
            parts.sort { $0.slot < $1.slot }
        }
    }

    /// Several registrations of one device matched: byte-identical parcels are sent once.
    ///
    /// Source: rules B.7.
    private mutating func write(
        _ group: Group,
        _ session: inout DeviceSession,
        sent: inout [UInt32],
        into bytes: inout [UInt8]
    ) -> Bool {
        var distinct: [Group.Part] = []
        var repeated: [Group.Part] = []
        for part in group.parts {
            let parcel = part.turn.parcel
            let isRepeat = distinct.contains {
                $0.turn.parcel === parcel || $0.turn.parcel.bytes == parcel.bytes
            }
            if isRepeat { repeated.append(part) } else { distinct.append(part) }
        }
        let lasting = distinct.filter { !$0.turn.parcel.isTransient }
        let size = lasting.reduce(0) { $0 + $1.turn.parcel.bytes.count + Self.frameOverhead + 10 }
        if let first = lasting.first {
            let firstBytes = first.turn.parcel.bytes.count + WireLimits.deliverEntryPrefixBytes
            guard bytes.count + size <= room, !session.isDozing, framer.reaches(group.sequence),
                session.window.admits(bytes: firstBytes)
            else { return false }
        }
        counters.skipped += UInt64(repeated.count)
        for part in repeated { note(.skipped, part.turn) }
        for part in distinct where part.turn.parcel.isTransient {
            let fits = bytes.count + size + part.turn.parcel.bytes.count + 64 <= room
            let before = counters.deliveries
            writeTransient(part.turn, slot: part.slot, fits: fits, &session, into: &bytes)
            sent[Int(part.number)] += UInt32(truncatingIfNeeded: counters.deliveries - before)
        }
        for (number, part) in lasting.enumerated() {
            framer.append(
                sequence: group.sequence,
                slot: part.slot,
                continues: number + 1 < lasting.count,
                redelivered: false,
                parcel: part.turn.parcel.bytes,
                into: &bytes
            )
            session.window.sent(
                sequence: group.sequence,
                platform: part.turn.platform,
                bytes: part.turn.parcel.bytes.count + WireLimits.deliverEntryPrefixBytes,
                now: now.instant
            )
            sent[Int(part.number)] += 1
            counters.deliveries += 1
        }
        return true
    }

    private mutating func note(_ kind: TelemetryKind, _ turn: TurnParcel) {
        unsent.append(Unsent(kind: kind, sequence: turn.sequence, platform: turn.platform))
    }
}
