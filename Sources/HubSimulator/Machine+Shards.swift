import HubDelivery
import HubMemory
import HubModel
import HubVocabulary

// The threads of shards and of the log's reader: what wakes them, and what they get.
extension Machine {
    /// Has a shard turn soon.
    func wakeShard(_ number: Int, _ hub: SimulatedHub) {
        wakeShard(number, hub, at: world.time + world.below(1_200))
    }

    private func wakeShard(_ number: Int, _ hub: SimulatedHub, at time: UInt64) {
        let shard = hub.shards[number]
        let due = max(time, shard.stalledUntil, hub.frozenUntil)
        guard shard.alarm.set(due) else { return }
        world.events.add(.shard(number, life: hub.life), at: due)
    }

    /// A reactor looks at deadlines now and then while it has connections.
    func tickShards(_ hub: SimulatedHub) {
        for (number, shard) in hub.shards.enumerated()
        where shard.links.contains(where: { $0 != nil }) {
            shard.requestTick(at: world.time)
            wakeShard(number, hub)
        }
    }

    func shardTurn(_ number: Int, _ life: Int) {
        guard let hub = process(life), hub.shards[number].alarm.rings(world.time) else { return }
        let shard = hub.shards[number]
        guard max(shard.stalledUntil, hub.frozenUntil) <= world.time else {
            return wakeShard(number, hub)
        }
        if world.strikes(.slowShard, oneIn: 400) {
            shard.stalledUntil = world.time + 50_000 + world.below(4_000_000)
            return wakeShard(number, hub)
        }
        var surroundings = SimulatedSurroundings(machine: self, hub: hub, shard: shard)
        if let due = shard.tickDue, due <= world.time {
            shard.tickDue = nil
            shard.loop.tick(in: &surroundings, now: world.now)
        }
        let mail = shard.mailbox.drain()
        if !mail.isEmpty {
            world.count(4, number)
            note(mail, shard)
            shard.loop.receive(mail, in: &surroundings, now: world.now)
        }
        for page in shard.mislaid { shard.post.post(page, of: name, into: FullRoom()) }
        shard.mislaid = []
        let due = shard.loop.endTurn(in: &surroundings, now: world.now)
        for (connection, afterFlush) in surroundings.closing {
            closeAtHub(connection, number, life: life, afterFlush: afterFlush)
        }
        checkHeld(shard)
        rest(number, hub, due: due)
    }

    /// A shard's turn is over: what wakes it next.
    private func rest(_ number: Int, _ hub: SimulatedHub, due: Instant?) {
        let shard = hub.shards[number]
        if let due, world.mistake != .idleShardNotWoken || due <= world.now.instant {
            shard.requestTick(at: (due.nanoseconds + 999) / 1_000)
        }
        if !shard.mailbox.isEmpty { wakeShard(number, hub) }
        if let due = shard.tickDue {
            if due <= world.time { wakeShard(number, hub) } else { wakeShard(number, hub, at: due) }
        }
        if shard.post.hasMailAside, shard.mailbox.isEmpty {
            world.violate("mail for shard \(number) lies aside, and nothing wakes the shard")
        }
    }

    private func note(_ mail: [ShardMail<Never>], _ shard: SimulatedShard) {
        for case .hub(_, let message) in mail {
            switch message {
            case .feedLost: world.note(.lostFeed)
            case .settings(let settings):
                shard.purgedThrough = settings.purgedThrough
                shard.purgedAt = world.time
            default: break
            }
        }
    }

    // MARK: Mail

    func post(_ message: ShardMessage, to number: Int, _ hub: SimulatedHub) {
        let shard = hub.shards[number]
        if case .page = message, world.mistake == .pagePutAsideLate, shard.mailbox.isFull {
            shard.mislaid.append(message)
            return
        }
        if case .feed = message, world.mistake == .feedItemDropped, world.oneIn(20) { return }
        let wasEmpty = shard.mailbox.isEmpty
        let refusals = shard.mailbox.refusals
        shard.post.post(message, of: name, into: shard.mailbox)
        if shard.mailbox.refusals > refusals { world.note(.fullMailbox) }
        if shard.feedWaiting > world.plan.bounds.feedItemsMax {
            world.violate("\(shard.feedWaiting) feed items wait for a shard")
        }
        // Only mail in an empty mailbox wakes.
        if wasEmpty, !shard.mailbox.isEmpty { wakeShard(number, hub) }
    }

    // MARK: Reads

    /// Remembers up to where a session reads.
    func note(_ query: LogQuery, _ hub: SimulatedHub) {
        guard let link = link(of: query.address, life: hub.life) else { return }
        network.links[link].session.reads.append((query.after, query.through))
    }

    func read(_ query: LogQuery, _ hub: SimulatedHub) {
        guard hub.reads.add(query) else { return }
        hub.readOrder.append(query.device)
        world.after(100 + world.below(30_000), .page(life: hub.life))
    }

    /// The reader's thread answers the read that waits longest.
    func answerRead(_ life: Int) {
        guard let hub = process(life), !hub.readOrder.isEmpty else { return }
        guard hub.frozenUntil <= world.time else {
            return world.events.add(.page(life: life), at: hub.frozenUntil)
        }
        guard !hub.pages.isSpent else {
            return world.after(1_000 + world.below(10_000), .page(life: life))
        }
        guard let query = hub.reads.take(hub.readOrder.removeFirst()) else { return }
        var page = LogPage(failing: query)
        if !world.strikes(.refusedRead, oneIn: 40) {
            disk.setFaults(MemoryFaults())
            page = hub.reader.answer(query, now: world.now.time) {
                world.violate("\($0) is damaged")
            }
            if page.failed { world.violate("a read fails for no reason") }
        }
        world.count(5, page.failed ? -1 : page.records.count)
        hub.pages.take(page.weight)
        post(.page(page), to: query.address.shard, hub)
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
}
