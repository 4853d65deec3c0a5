import HubCore
import HubStore

// A shard's turn, as the server runs it.
extension Simulation {
    func wakeShard(_ number: Int) {
        guard let hub, !hub.shards[number].isScheduled else { return }
        hub.shards[number].isScheduled = true
        let shard = hub.shards[number]
        let delay = below(1_200)
        let due = max(time + delay, shard.stalledUntil)
        events.add(.shard(number, life: hub.life), at: due)
    }

    func shardTurn(_ number: Int, _ life: Int) {
        guard let hub, hub.life == life else { return }
        let shard = hub.shards[number]
        shard.isScheduled = false
        guard shard.stalledUntil <= time else { return wakeShard(number) }
        if strikes(.slowShard, oneIn: 400) {
            shard.stalledUntil = time + 50_000 + below(4_000_000)
            return wakeShard(number)
        }
        if shard.isTickDue {
            shard.isTickDue = false
            shard.core.tick(now: now)
        }
        if !shard.mail.isEmpty { count(4, number) }
        readMail(shard)
        shard.core.settle(now: now)
        while performActions(shard, number, hub) { shard.core.settle(now: now) }
        shard.core.flush(into: shard.output, now: now)
        _ = performActions(shard, number, hub)
        guard self.hub === hub else { return }
        if shard.core.wantsAnotherTurn || !shard.mail.isEmpty { wakeShard(number) }
    }

    private func readMail(_ shard: SimulatedHub.Shard) {
        var items = 0
        var weight = 0
        while shard.mailRead < shard.mail.count, !shard.core.isTurnFull {
            let message = shard.mail[shard.mailRead]
            shard.mailRead += 1
            shard.core.receive(message, of: name, now: now)
            if case .feed(let item) = message {
                items += 1
                weight += item.weight
            }
        }
        if shard.mailRead == shard.mail.count {
            shard.mail.removeAll(keepingCapacity: true)
            shard.mailRead = 0
        }
        if let head = shard.backlog.applied(items, weighing: weight) { announceLoss(head, shard) }
    }

    /// Carries out what the core asked for; whether something was answered at once.
    private func performActions(
        _ shard: SimulatedHub.Shard,
        _ number: Int,
        _ hub: SimulatedHub
    ) -> Bool {
        let actions = shard.core.actions
        guard !actions.isEmpty else { return false }
        shard.core.actions = []
        var isAnswered = false
        for action in actions {
            switch action {
            case .directory(_, let request): submit(.request(request))
            case .readLog(_, let connection, let after, let through, let limit, let ticket):
                let read = LogRead(
                    address: ConnectionAddress(shard: number, connection: connection),
                    after: after,
                    through: through,
                    limit: limit,
                    ticket: ticket
                )
                if answerFromMemory(read, shard, hub) { isAnswered = true }
            case .authenticated: break
            case .close(let connection, let afterFlush):
                closeAtHub(connection, number, afterFlush: afterFlush)
            }
        }
        return isAnswered
    }

    // MARK: Reads

    private func answerFromMemory(
        _ read: LogRead,
        _ shard: SimulatedHub.Shard,
        _ hub: SimulatedHub
    ) -> Bool {
        guard let first = hub.recent.first, read.after + 1 >= first.sequence,
            read.after < read.through
        else {
            shard.reads.append(read)
            after(100 + below(30_000), .page(read.address.shard, life: hub.life))
            return false
        }
        let from = Int(read.after + 1 - first.sequence)
        let to = min(hub.recent.count, from + read.limit, from + Int(read.through - read.after))
        guard from < to else {
            shard.reads.append(read)
            after(100 + below(30_000), .page(read.address.shard, life: hub.life))
            return false
        }
        let records = Array(hub.recent[from..<to])
        let page = LogPage(
            address: read.address,
            ticket: read.ticket,
            records: records,
            through: records[records.count - 1].sequence
        )
        shard.core.receive(.page(page), of: name, now: now)
        return true
    }

    /// The reader's thread answers the read that waits longest.
    func answerRead(_ number: Int, _ life: Int) {
        guard let hub, hub.life == life, !hub.shards[number].reads.isEmpty else { return }
        let read = hub.shards[number].reads.removeFirst()
        var found: [NotificationRecord]?
        if !strikes(.refusedRead, oneIn: 40) {
            disk.setFaults(MemoryFaults())
            do throws(StoreError) {
                found = try hub.store.reader.records(
                    after: read.after,
                    through: read.through,
                    limit: read.limit,
                    bytesMax: 8_192
                )
            } catch {
                violate("a read fails for no reason: \(error)")
            }
        }
        count(5, found?.count ?? -1)
        let page = LogPage(
            address: read.address,
            ticket: read.ticket,
            records: found ?? [],
            through: found?.last?.sequence ?? read.through,
            failed: found == nil
        )
        hub.shards[number].mail.append(.page(page))
        wakeShard(number)
    }
}
