import HubClient
import HubDelivery
import HubModel
import HubVocabulary
import HubWire

// Notifications that a device which was away is not sent: replaced, over its cap, purged; and the
// news of their loss.
extension AppChecks {
    // MARK: Operators

    // MARK: Messages

    /// A session is open: from here on the device hears of everything that it does not get.
    func noteOpening(_ opening: SessionOpening, _ app: SimulatedDevice, _ link: Int) {
        let place = opening.position.sequence
        let stored = app.stored
        network.links[link].session.announcedThrough = place
        // Before a RESET a device may have got what lies behind.
        network.links[link].session.isCounted =
            opening.outcome != .reset
            && (stored.through <= place || stored.through == stored.lastSequence)
        network.links[link].session.begunBefore =
            stored.lastSequence > place ? stored.lastSequence : 0
    }

    /// Of what was read together only the newest with a collapse key comes, and nothing that had
    /// been purged.
    func checkNewest(_ found: Found, _ app: SimulatedDevice, _ link: Int, _ segment: Segment?) {
        let record = ledger.records[found.record]
        guard !record.isLost, let hub = machine.hub, hub.life == network.links[link].life,
            let known = ledger.devices[found.device], let match = known.matches[found.record]
        else { return }
        let sequence = record.sequence
        let shard = hub.shards[network.links[link].shard]
        let isPurged = sequence <= shard.purgedThrough
        if let segment, isPurged, segment.sent > shard.purgedAt,
            !match.contains(where: {
                $0.slot != match[found.match].slot && has(record, $0.slot, app)
            })
        {
            world.violate(
                "record \(sequence) was sent to device \(app.number) after it had been purged"
            )
        }
        guard !record.collapseKey.isEmpty, !ledger.cut.contains(found.device),
            ledger.revived.isEmpty,
            let read = network.links[link].session.reads.last(where: {
                $0.after < sequence && sequence <= $0.through
            })
        else { return }
        if ledger.isReplaced(match[found.match], found.record, known, through: read.through) {
            world.violate(
                "record \(sequence) was sent to device \(app.number) and had been replaced"
            )
        }
    }

    // MARK: Announcements

    /// GAP says that something is lost: it must be so, and so much.
    func checkGap(_ gap: LinkGap, _ app: SimulatedDevice, _ link: Int?) {
        guard let device = app.identity, let known = ledger.devices[device] else {
            return
        }
        let head = UInt64(ledger.history.log.count)
        let start = min(
            link.flatMap { network.links[$0].session.announcedThrough } ?? gap.from,
            gap.from
        )
        if gap.reason == GapReason.tagHistoryCut.rawValue || gap.lost == ResumeDecision.lostUnknown
        {
            if !ledger.cut.contains(device), !ledger.isPurgeGone(after: start) {
                world.violate("device \(app.number) is told of a loss that did not happen: \(gap)")
            }
        } else if let link, let hub = machine.hub, network.links[link].life == hub.life {
            if gap.to > head {
                world.violate("device \(app.number) is told of a loss to come: \(gap)")
            }
            checkReason(gap, app, known)
            if network.links[link].session.isCounted, !ledger.cut.contains(device),
                ledger.revived.isEmpty
            {
                checkCount(gap, after: start, app, link, known)
            }
        }
        if let link, network.links[link].session.announcedThrough != nil {
            network.links[link].session.announcedThrough = gap.to
        }
        guard start < min(gap.to, head) else { return }
        ledger.devices[device]?.losses.append(start + 1...min(gap.to, head))
    }

    private func checkReason(_ gap: LinkGap, _ app: SimulatedDevice, _ known: Ledger.Device) {
        let purged = ledger.history.settings?.purgedThrough ?? 0
        switch GapReason(rawValue: gap.reason) {
        case .purge:
            if gap.to > purged {
                world.violate(
                    "device \(app.number) is told of a purge, which ended at \(purged): \(gap)"
                )
            }
        case .deviceCap:
            // Cut notifications are older than as many as are kept.
            guard gap.to > purged else { return }
            let kept = known.matches.keys.count(where: { record in
                !ledger.records[record].isLost && !ledger.records[record].isTransient
                    && ledger.records[record].sequence > gap.to
            })
            if kept < world.plan.core.devices.deviceCap {
                world.violate("device \(app.number) keeps \(kept), and more were cut: \(gap)")
            }
        default: world.violate("device \(app.number) is told of a loss for no reason: \(gap)")
        }
    }

    private func checkCount(
        _ gap: LinkGap,
        after start: UInt64,
        _ app: SimulatedDevice,
        _ link: Int,
        _ known: Ledger.Device
    ) {
        var least = 0
        var most = 0
        for (number, matches) in known.matches {
            let record = ledger.records[number]
            guard !record.isLost, !record.isTransient, record.sequence > start,
                record.sequence <= gap.to
            else { continue }
            let isBegun = record.sequence == network.links[link].session.begunBefore
            if matches.contains(where: { has(record, $0.slot, app) }), !isBegun { continue }
            most += 1
            if !isBegun, matches.contains(where: { isOwed($0, number, app, known) }) {
                least += 1
            }
        }
        if gap.lost < least || gap.lost > most {
            world.violate("device \(app.number) lost \(least) to \(most), and is told: \(gap)")
        }
    }

    /// Whether some device was told that it does not get a record.
    func isAnnounced(_ record: Ledger.Record) -> Bool {
        ledger.devices.values.contains { device in
            device.losses.contains { $0.contains(record.sequence) }
        }
    }

    /// Whether a registration that a record matched was removed, and brought back by an older disk: a
    /// device may have come past the record meanwhile.
    func isRevived(_ index: Int) -> Bool {
        ledger.devices.values.contains { device in
            (device.matches[index] ?? []).contains { match in
                ledger.revived[match.number].map { ledger.records[index].sequence <= $0 } ?? false
            }
        }
    }

    // MARK: Memory

}
