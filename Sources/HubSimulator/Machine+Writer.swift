import HubDirectory
import HubMemory
import HubModel
import HubTables
import HubVocabulary
import HubWire

// The thread of the hub's writer: its mail, when it turns, and what becomes of what it says.
extension Machine {
    /// Has the writer turn soon.
    func wakeWriter(_ hub: SimulatedHub) {
        guard hub.inFlight == nil else { return }
        wakeWriter(hub, at: world.time + world.below(1_500))
    }

    private func wakeWriter(_ hub: SimulatedHub, at due: UInt64) {
        let due = max(due, hub.frozenUntil)
        guard hub.writerAlarm.set(due) else { return }
        world.events.add(.writer(life: hub.life), at: due)
    }

    func submit(_ mail: WriterMail, to hub: SimulatedHub) {
        guard runs(hub) else { return }
        if case .request(.attach(let request)) = mail {
            hub.attaching[request.address] = request
        }
        hub.inbox.append(mail)
        wakeWriter(hub)
    }

    func writerTurn(_ life: Int) {
        guard let hub = process(life), hub.writerAlarm.rings(world.time), hub.inFlight == nil
        else {
            return
        }
        guard hub.frozenUntil <= world.time else { return wakeWriter(hub, at: hub.frozenUntil) }
        let mail = hub.inbox
        hub.inbox = []
        if !mail.isEmpty { world.count(2, mail.count) }
        setFaults(hub, records: false)
        readKeys(hub)
        run(hub) { writer, store, output in
            writer.turn(mail, isStopping: hub.isStopping, store: &store, output: &output) {
                self.world.now
            }
        }
    }

    /// Another thread has read some of the keys that the start has left, and gives back the last.
    private func readKeys(_ hub: SimulatedHub) {
        guard var keys = hub.unreadKeys else { return }
        // What cannot be read now is read before a later turn.
        try? keys.read(hub.store.keyReader, limit: 3)
        hub.unreadKeys = keys.isWhole ? nil : keys
        if keys.isWhole { hub.directory.receive(keys) }
    }

    /// The disk has done with the group that it was slow with.
    func diskIsDone(_ life: Int) {
        guard let hub = process(life), let group = hub.inFlight else { return }
        if let cluster {
            guard let result = cluster.answer(to: group, hub) else { return }
            return take(result, hub)
        }
        hub.inFlight = nil
        guard let result = write(group, hub) else { return }
        take(result, hub)
    }

    private func take(_ result: CommitResult, _ hub: SimulatedHub) {
        hub.inFlight = nil
        run(hub) { writer, store, output in
            writer.committed(result, store: &store, output: &output) { self.world.now }
        }
    }

    private func run(
        _ hub: SimulatedHub,
        _ turn: (inout WriterLoop, inout SimulatedStore, inout SimulatedPosts) -> WriterRest
    ) {
        var writer = hub.writer
        var store = SimulatedStore(machine: self, hub: hub)
        var output = SimulatedPosts(machine: self, hub: hub)
        let rest = turn(&writer, &store, &output)
        hub.writer = writer
        guard runs(hub) else { return }
        if rest == .stopped { return finish(hub, &store) }
        guard case .waiting(let milliseconds) = rest else { return }
        if hub.inbox.isEmpty, milliseconds > 0 {
            wakeWriter(hub, at: world.time + milliseconds * 1_000)
        } else {
            wakeWriter(hub)
        }
    }

    /// A process that was to end has done what waited.
    private func finish(_ hub: SimulatedHub, _ store: inout SimulatedStore) {
        hub.writer.finish(store: &store) { self.world.now }
        if runs(hub) { cluster?.leave(hub) }
    }

    /// Draws what the disk refuses next, and tells it.
    func setFaults(_ hub: SimulatedHub, records: Bool) {
        var faults = MemoryFaults()
        if world.time < diskFullUntil {
            faults.changes = .full
            faults.records = .full
            faults.cursors = .full
        } else if records {
            if world.strikes(.refusedChanges, oneIn: 30) {
                faults.changes = .unavailable(reason: "drawn")
            }
            if world.strikes(.refusedRecords, oneIn: 30) {
                faults.records = .unavailable(reason: "drawn")
            }
        }
        disk.setFaults(faults)
    }

    /// Makes a group durable, or not; nil when the process ended on the way.
    func write(_ group: CommitGroup, _ hub: SimulatedHub) -> CommitResult? {
        world.count(3, group.changes.count << 8 | group.records.count)
        tell(group)
        guard isPossible(group) else { return nil }
        if world.strikes(.failedSync, oneIn: 40) {
            let error = StoreError.unavailable(reason: "the sync failed")
            let result = CommitResult(
                changes: group.changes.isEmpty ? nil : error,
                records: group.records.isEmpty ? nil : error
            )
            ghost = group
            callers?.mayReappear(group)
            return result
        }
        setFaults(hub, records: true)
        if world.strikes(.crashBetweenParts, oneIn: 150) {
            disk.setFaults(MemoryFaults())
            makeDurable(changes: group.changes, in: hub.store)
            if !group.changes.isEmpty { ghost = nil }
            crash()
            return nil
        }
        let result = hub.store.commit(changes: group.changes, records: group.records)
        if result.changes == nil { ledger.apply(group.changes, time: world.time) }
        if result.records == nil { ledger.append(group.records, time: world.time) }
        // A successful write overwrites the bytes of the group whose sync failed.
        if result.changes == nil || result.records == nil { ghost = nil }
        if world.strikes(.crashAfterCommit, oneIn: 150) {
            crash()
            return nil
        }
        return result
    }

    /// Records have left the log.
    func trimmed(_ removed: ClosedRange<UInt64>) {
        var removed = removed
        if cluster != nil {
            // Another node has removed some of them before.
            guard removed.upperBound >= ledger.history.first else { return }
            removed = max(removed.lowerBound, ledger.history.first)...removed.upperBound
        }
        world.count(10, removed.count)
        world.tell("records \(removed) leave the log")
        ledger.trim(removed, now: world.now.time, kept: world.plan.core.log.recordsKeptSeconds)
    }

    func tell(_ group: CommitGroup) {
        guard world.trace != nil else { return }
        world.tell(
            "commit \(group.changes.count) changes, records \(group.records.map(\.sequence))"
        )
        for record in group.records {
            let key = String(decoding: record.draft.collapseKey, as: UTF8.self)
            world.tell("  record \(record.sequence) key '\(key)' expires \(record.expires)")
        }
        for change in group.changes {
            switch change {
            case .put(let row):
                world.tell(
                    "  registration \(row.number.raw) at \(row.target?.device.high ?? 0) slot \(row.target?.slot ?? 0) since \(row.since.sequence), tags \(row.formerTags.count)+1 since \(row.tagsSince.sequence)"
                )
            case .remove(let row): world.tell("  registration \(row.number.raw) removed")
            default: break
            }
        }
    }

    /// Whether a group goes on where the log ends, and fires nothing that has fired.
    func isPossible(_ group: CommitGroup) -> Bool {
        for (offset, record) in group.records.enumerated() {
            if record.sequence != UInt64(ledger.history.log.count + 1 + offset) {
                world.violate(
                    "record \(record.sequence) is next in a log of \(ledger.history.log.count)"
                )
                return false
            }
            if let schedule = record.schedule, ledger.hasFired(schedule) {
                world.violate("schedule \(schedule.text) fires again, as \(record.sequence)")
                return false
            }
        }
        return true
    }

    // MARK: What the directory wants

    func perform(_ action: DirectoryAction, _ hub: SimulatedHub) {
        switch action {
        case .answer(let answer):
            speaker = hub
            answer.give()
            callers?.takeAnswers()
        case .feed(let item):
            check(item, hub)
            RecentRecords.shrink(hub.recent.append(item.records))
            for shard in hub.shards.indices { post(.feed(item), to: shard, hub) }
        case .message(let shard, let message):
            if case .attached(let reply) = message {
                guard hub.mayAnswer(at: world) else { return refuse(reply, shard, hub) }
                check(reply, hub)
            }
            post(message, to: shard, hub)
        case .broadcast(let message):
            for shard in hub.shards.indices { post(message, to: shard, hub) }
        case .runJob: break
        case .event(let event): world.tell("event \(event)")
        }
    }

    /// Refuses a session that waited until another node may lead.
    private func refuse(_ reply: AttachReply, _ shard: Int, _ hub: SimulatedHub) {
        hub.attaching[reply.address] = nil
        let refusal = ShardMessage.attachRefused(
            reply.address,
            .unavailable,
            retryAfterMilliseconds: 5_000
        )
        post(refusal, to: shard, hub)
        let detach = DirectoryRequest.detach(
            device: reply.device,
            sessionGeneration: reply.sessionGeneration
        )
        submit(.request(detach), to: hub)
    }

    /// Nothing is published that is not durable.
    private func check(_ item: FeedItem, _ hub: SimulatedHub) {
        for record in item.records where !ledger.isDurable(record) {
            world.violate("record \(record.sequence) is published and not durable")
        }
        // Behind a freeze another node may have changed them since.
        guard hub === self.hub else { return }
        for change in item.changes {
            switch change {
            case .put(let registration, _):
                let row = ledger.history.rows[registration.number.raw]
                if row.map({ $0.version < registration.version }) ?? true {
                    world.violate(
                        "registration \(registration.number.raw) is published and not durable"
                    )
                }
            case .removed(let registration):
                if ledger.history.rows[registration.number.raw] != nil {
                    world.violate(
                        "removal of \(registration.number.raw) is published and not durable"
                    )
                }
            }
        }
    }

    /// A session opens as the position deserves.
    ///
    /// Source: rules B.1–B.3.
    private func check(_ reply: AttachReply, _ hub: SimulatedHub) {
        guard let request = hub.attaching.removeValue(forKey: reply.address) else { return }
        if hub !== self.hub { world.violate("a node opens a session, and another leads") }
        let position = request.position
        world.tell(
            "attach \(reply.device) at \(position.sequence): \(reply.outcome) from \(reply.start.sequence), head \(reply.head)"
        )
        let seen = ledger.fits(position) ? position.sequence : 0
        let mayCut = ledger.cut.contains(reply.device) || ledger.isPurgeGone(after: seen)
        if position.epoch == 0 {
            if reply.outcome != .fresh, !(reply.outcome == .gap && mayCut) {
                world.violate("a device without position is \(reply.outcome)")
            }
        } else if ledger.fits(position) {
            if reply.outcome == .resumed {
                if reply.start.sequence != max(position.sequence, ledger.history.first - 1) {
                    world.violate(
                        "position \(position.sequence) is resumed at \(reply.start.sequence)"
                    )
                }
            } else if !(reply.outcome == .gap && mayCut) {
                world.violate("position \(position.sequence) fits and is \(reply.outcome)")
            }
        } else if reply.outcome != .reset {
            world.violate("position \(position) is none of this history and is \(reply.outcome)")
        }
        if reply.outcome == .reset, reply.start.sequence > ledger.resetLimit(reply.device) {
            world.violate(
                "a reset leaves out what \(reply.device) has not: \(reply.start.sequence)"
            )
        }
        if let link = link(of: reply.address, life: hub.life) {
            network.links[link].session.attachedHead = reply.head
            network.links[link].session.attachedAt = world.time
        }
    }
}
