import HubDirectory
import HubModel
import HubStore
import HubVocabulary
import HubWire

// The writer's loop, as the server runs it, with a disk that fails.
extension Simulation {
    func wakeWriter() {
        guard let hub, !hub.isWriterScheduled, hub.inFlight == nil else { return }
        hub.isWriterScheduled = true
        after(below(1_500), .writer(life: hub.life))
    }

    func submit(_ mail: WriterMail) {
        guard let hub else { return }
        if case .request(.attach(let request)) = mail { hub.attaching[request.address] = request }
        hub.inbox.append(mail)
        wakeWriter()
    }

    func writerTurn(_ life: Int) {
        guard let hub, hub.life == life else { return }
        hub.isWriterScheduled = false
        guard hub.inFlight == nil else { return }
        let mail = hub.inbox
        hub.inbox = []
        if !mail.isEmpty { count(2, mail.count) }
        for message in mail {
            switch message {
            case .command(let command, let token):
                hub.directory.receive(command, token: token, now: now)
            case .request(let request): hub.directory.receive(request, now: now)
            }
        }
        hub.directory.tick(now: now)
        commitAll(hub)
    }

    private func commitAll(_ hub: SimulatedHub) {
        setFaults(hub, records: false)
        perform(hub.directory.takeActions(), hub)
        while let group = hub.directory.nextGroup(now: now) {
            if strikes(.crashBeforeCommit, oneIn: 150) { return crash() }
            if strikes(.slowSync, oneIn: 20) {
                hub.inFlight = group
                let waits: [UInt64] = [5_000, 100_000, 900_000, 6_000_000]
                after(waits[Int(below(4))], .committed(life: hub.life))
                return
            }
            guard commit(group, hub) else { return }
        }
        perform(hub.directory.takeActions(), hub)
        finishTurn(hub)
    }

    /// The disk has done with the group that it was slow with.
    func diskIsDone(_ life: Int) {
        guard let hub, hub.life == life, let group = hub.inFlight else { return }
        hub.inFlight = nil
        if commit(group, hub) { commitAll(hub) }
        if self.hub === hub, !hub.inbox.isEmpty { wakeWriter() }
    }

    /// Draws what the disk refuses next, and tells it.
    func setFaults(_ hub: SimulatedHub, records: Bool) {
        var faults = MemoryFaults()
        if time < diskFullUntil {
            faults.changes = .full
            faults.records = .full
            faults.cursors = .full
        } else if records {
            if strikes(.refusedChanges, oneIn: 30) {
                faults.changes = .unavailable(reason: "drawn")
            }
            if strikes(.refusedRecords, oneIn: 30) {
                faults.records = .unavailable(reason: "drawn")
            }
        }
        disk.setFaults(faults)
    }

    /// Makes a group durable, or not; false when the process ended on the way.
    private func commit(_ group: CommitGroup, _ hub: SimulatedHub) -> Bool {
        count(3, group.changes.count << 8 | group.records.count)
        tell(group)
        guard isPossible(group) else { return false }
        if strikes(.failedSync, oneIn: 40) {
            let error = StoreError.unavailable(reason: "the sync failed")
            let result = CommitResult(
                changes: group.changes.isEmpty ? nil : error,
                records: group.records.isEmpty ? nil : error
            )
            ghost = group
            workload.mayReappear(group)
            hub.directory.committed(group, result, now: now)
            perform(hub.directory.takeActions(), hub)
            return true
        }
        setFaults(hub, records: true)
        if strikes(.crashBetweenParts, oneIn: 150) {
            disk.setFaults(MemoryFaults())
            makeDurable(changes: group.changes, in: hub.store)
            if !group.changes.isEmpty { ghost = nil }
            crash()
            return false
        }
        let result = hub.store.commit(changes: group.changes, records: group.records)
        if result.changes == nil { ledger.apply(group.changes, time: time) }
        if result.records == nil { ledger.append(group.records, time: time) }
        // What lay behind is overwritten by whatever is written.
        if result.changes == nil || result.records == nil { ghost = nil }
        if strikes(.crashAfterCommit, oneIn: 150) {
            crash()
            return false
        }
        hub.directory.committed(group, result, now: now)
        perform(hub.directory.takeActions(), hub)
        return true
    }

    private func tell(_ group: CommitGroup) {
        guard trace != nil else { return }
        tell("commit \(group.changes.count) changes, records \(group.records.map(\.sequence))")
        for record in group.records {
            let key = String(decoding: record.draft.collapseKey, as: UTF8.self)
            tell("  record \(record.sequence) key '\(key)' expires \(record.expires)")
        }
        for change in group.changes {
            switch change {
            case .put(let row):
                tell(
                    "  registration \(row.number.raw) at \(row.target?.device.high ?? 0) slot \(row.target?.slot ?? 0) since \(row.since.sequence), tags \(row.formerTags.count)+1 since \(row.tagsSince.sequence)"
                )
            case .remove(let row): tell("  registration \(row.number.raw) removed")
            default: break
            }
        }
    }

    /// Whether a group goes on where the log ends, and fires nothing that has fired.
    private func isPossible(_ group: CommitGroup) -> Bool {
        for (offset, record) in group.records.enumerated() {
            if record.sequence != UInt64(ledger.log.count + 1 + offset) {
                violate("record \(record.sequence) is next in a log of \(ledger.log.count)")
                return false
            }
            if let schedule = record.schedule, ledger.hasFired(schedule) {
                violate("schedule \(schedule.text) fires again, as \(record.sequence)")
                return false
            }
        }
        return true
    }

    // MARK: What the directory wants

    private func perform(_ actions: [DirectoryAction], _ hub: SimulatedHub) {
        for action in actions {
            switch action {
            case .reply(let token, let result): answered(token, result)
            case .feed(let item):
                check(item)
                hub.recent += item.records
                if hub.recent.count > plan.recentRecords {
                    hub.recent.removeFirst(hub.recent.count - plan.recentRecords)
                }
                for shard in hub.shards.indices { post(.feed(item), to: shard, hub) }
            case .message(let shard, let message):
                if case .attached(let reply) = message { check(reply, hub) }
                post(message, to: shard, hub)
            case .broadcast(let message):
                for shard in hub.shards.indices { post(message, to: shard, hub) }
            case .runJob: break
            case .event(let event): if trace != nil { tell("event \(event)") }
            }
        }
    }

    private func post(_ message: ShardMessage, to number: Int, _ hub: SimulatedHub) {
        let shard = hub.shards[number]
        if case .feed(let item) = message {
            switch shard.backlog.admit(item) {
            case .post:
                shard.mail.append(message)
                shard.feedWaiting += 1
                if shard.feedWaiting > plan.feedItemsMax {
                    violate("\(shard.feedWaiting) feed items wait for a shard")
                }
            case .announce(let head): announceLoss(head, shard)
            case .leaveOut: break
            }
        } else {
            shard.mail.append(message)
        }
        wakeShard(number)
    }

    func announceLoss(_ head: FeedBacklog.Head, _ shard: SimulatedHub.Shard) {
        note(.lostFeed)
        shard.mail.append(.feedLost(head: head.sequence, check: head.check))
    }

    /// Nothing is published that is not durable.
    private func check(_ item: FeedItem) {
        for record in item.records where !ledger.isDurable(record) {
            violate("record \(record.sequence) is published and not durable")
        }
        for change in item.changes {
            switch change {
            case .put(let registration, _):
                let row = ledger.rows[registration.number.raw]
                if row.map({ $0.version < registration.version }) ?? true {
                    violate("registration \(registration.number.raw) is published and not durable")
                }
            case .removed(let registration):
                if ledger.rows[registration.number.raw] != nil {
                    violate("removal of \(registration.number.raw) is published and not durable")
                }
            }
        }
    }

    /// A session opens as the position deserves.
    ///
    /// Source: rules B.1–B.3.
    private func check(_ reply: AttachReply, _ hub: SimulatedHub) {
        guard let request = hub.attaching.removeValue(forKey: reply.address) else { return }
        let position = request.position
        if trace != nil {
            tell(
                "attach \(reply.device) at \(position.sequence): \(reply.outcome) from \(reply.start.sequence), head \(reply.head)"
            )
        }
        let seen = ledger.fits(position) ? position.sequence : 0
        let mayCut = ledger.cut.contains(reply.device) || ledger.isPurgeGone(after: seen)
        if position.epoch == 0 {
            if reply.outcome != .fresh, !(reply.outcome == .gap && mayCut) {
                violate("a device without position is \(reply.outcome)")
            }
        } else if ledger.fits(position) {
            if reply.outcome == .resumed {
                if reply.start.sequence != max(position.sequence, ledger.first - 1) {
                    violate("position \(position.sequence) is resumed at \(reply.start.sequence)")
                }
            } else if !(reply.outcome == .gap && mayCut) {
                violate("position \(position.sequence) fits and is \(reply.outcome)")
            }
        } else if reply.outcome != .reset {
            violate("position \(position) is none of this history and is \(reply.outcome)")
        }
        if reply.outcome == .reset, reply.start.sequence > ledger.resetLimit(reply.device) {
            violate("a reset leaves out what \(reply.device) has not: \(reply.start.sequence)")
        }
        if let link = link(of: reply.address) {
            links[link].attachedHead = reply.head
            links[link].attachedAt = time
        }
    }
}
