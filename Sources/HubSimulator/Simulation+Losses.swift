import HubClient
import HubDelivery
import HubDirectory
import HubModel
import HubStore
import HubVocabulary
import HubWire

// Notifications that a device which was away is not sent: replaced, over its cap, purged; and the
// news of their loss.
extension Simulation {
    // MARK: Operators

    func changeSettings() {
        guard hub != nil, world.plan.changesSettings else { return }
        var change = HubSettingsChange()
        if world.oneIn(2) {
            let cap = UInt64(world.plan.core.devices.deviceCap)
            change.deviceCap = [cap, min(2 * cap, 10_000), 10_000][Int(world.below(3))]
        } else {
            let seconds: UInt64 = [3_600, 100_000, 2_419_200][Int(world.below(3))]
            change.retentionSeconds = seconds
            change.timeToLiveSeconds = min(seconds, 604_800)
        }
        ask(ChangeSettings(change), as: .settings) { $0.settingsTold($1) }
    }

    func purgeSome() {
        guard hub != nil, world.plan.purges else { return }
        let head = UInt64(ledger.history.log.count)
        var extent = PurgeExtent.through(head - min(head, world.below(12)))
        if world.oneIn(3) {
            let back = world.below(60_000)
            extent = .before(Timestamp(milliseconds: world.now.time.milliseconds - back))
        }
        ask(Purge(extent), as: .settings) { $0.settingsTold($1) }
    }

    func settingsTold(_ result: Result<HubSettings, Refusal>) {
        switch result {
        case .success(let settings):
            let durable = ledger.history.settings?.purgedThrough ?? 0
            if settings.purgedThrough > durable {
                world.violate("purged to \(settings.purgedThrough), durable is \(durable)")
            }
            world.tell("answer \(settings)")
        case .failure(.storeFull), .failure(.storeUnavailable), .failure(.stopping): break
        case .failure(let refusal): world.violate("a change of settings is refused: \(refusal)")
        }
    }

    // MARK: Messages

    /// A session is open: from here on the device hears of everything that it does not get.
    func noteOpening(_ opening: SessionOpening, _ index: Int, _ link: Int) {
        let place = opening.position.sequence
        let stored = devices[index].stored
        links[link].session.announcedThrough = place
        // Before a RESET a device may have got what lies behind.
        links[link].session.isCounted =
            opening.outcome != .reset
            && (stored.through <= place || stored.through == stored.lastSequence)
        links[link].session.begunBefore = stored.lastSequence > place ? stored.lastSequence : 0
    }

    /// Of what was read together only the newest with a collapse key comes, and nothing that had
    /// been purged.
    func checkNewest(_ found: Found, _ index: Int, _ link: Int, _ segment: Segment?) {
        let record = ledger.records[found.record]
        guard !record.isLost, let hub, hub.life == links[link].life,
            let known = ledger.devices[found.device], let match = known.matches[found.record]
        else { return }
        let sequence = record.sequence
        let shard = hub.shards[links[link].shard]
        let isPurged = sequence <= shard.purgedThrough
        if let segment, isPurged, segment.sent > shard.purgedAt,
            !match.contains(where: {
                $0.slot != match[found.match].slot && has(record, $0.slot, index)
            })
        {
            world.violate("record \(sequence) was sent to device \(index) after it had been purged")
        }
        guard !record.collapseKey.isEmpty, !ledger.cut.contains(found.device),
            ledger.revived.isEmpty,
            let read = links[link].session.reads.last(where: {
                $0.after < sequence && sequence <= $0.through
            })
        else { return }
        if ledger.isReplaced(match[found.match], found.record, known, through: read.through) {
            world.violate("record \(sequence) was sent to device \(index) and had been replaced")
        }
    }

    // MARK: Announcements

    /// GAP says that something is lost: it must be so, and so much.
    func checkGap(_ gap: LinkGap, _ index: Int, _ link: Int?) {
        guard let device = devices[index].identity, let known = ledger.devices[device] else {
            return
        }
        let head = UInt64(ledger.history.log.count)
        let start = min(link.flatMap { links[$0].session.announcedThrough } ?? gap.from, gap.from)
        if gap.reason == GapReason.tagHistoryCut.rawValue || gap.lost == ResumeDecision.lostUnknown
        {
            if !ledger.cut.contains(device), !ledger.isPurgeGone(after: start) {
                world.violate("device \(index) is told of a loss that did not happen: \(gap)")
            }
        } else if let link, let hub, links[link].life == hub.life {
            if gap.to > head { world.violate("device \(index) is told of a loss to come: \(gap)") }
            checkReason(gap, index, known)
            if links[link].session.isCounted, !ledger.cut.contains(device),
                ledger.revived.isEmpty
            {
                checkCount(gap, after: start, index, link, known)
            }
        }
        if let link, links[link].session.announcedThrough != nil {
            links[link].session.announcedThrough = gap.to
        }
        guard start < min(gap.to, head) else { return }
        ledger.devices[device]?.losses.append(start + 1...min(gap.to, head))
    }

    private func checkReason(_ gap: LinkGap, _ index: Int, _ known: Ledger.Device) {
        let purged = ledger.history.settings?.purgedThrough ?? 0
        switch GapReason(rawValue: gap.reason) {
        case .purge:
            if gap.to > purged {
                world.violate(
                    "device \(index) is told of a purge, which ended at \(purged): \(gap)"
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
                world.violate("device \(index) keeps \(kept), and more were cut: \(gap)")
            }
        default: world.violate("device \(index) is told of a loss for no reason: \(gap)")
        }
    }

    private func checkCount(
        _ gap: LinkGap,
        after start: UInt64,
        _ index: Int,
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
            let isBegun = record.sequence == links[link].session.begunBefore
            if matches.contains(where: { has(record, $0.slot, index) }), !isBegun { continue }
            most += 1
            if !isBegun, matches.contains(where: { isOwed($0, number, index, known) }) {
                least += 1
            }
        }
        if gap.lost < least || gap.lost > most {
            world.violate("device \(index) lost \(least) to \(most), and is told: \(gap)")
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

    /// Checks that no more than a window's worth and one record more waits for a device.
    func checkHeld(_ shard: SimulatedShard) {
        // Two registrations for each installation; 1 for direct sends.
        let slots = 3 + Workload.registrationsMax + 2 * Workload.installations.count + 1
        let most = max(Int(world.plan.windows.max() ?? 1), slots) + slots
        if shard.loop.core.heldMost > most {
            world.violate("\(shard.loop.core.heldMost) entries wait for a device, \(most) may")
        }
    }

    /// Checks that no more waits for a connection than was asked for, and some control frames.
    func checkOutput(_ link: Int) {
        let bytes = links[link].toDevice.bytes
        if bytes > Link.capacity + world.plan.session.controlBytesMax {
            world.violate("\(bytes) bytes wait for a device")
        }
    }
}
