import HubDelivery
import HubDirectory
import HubModel
import HubStore
import HubVocabulary

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
        checkHeld(shard)
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
            if case .settings(let settings) = message {
                shard.purgedThrough = settings.purgedThrough
                shard.purgedAt = time
            }
        }
        if shard.mailRead == shard.mail.count {
            shard.mail.removeAll(keepingCapacity: true)
            shard.mailRead = 0
        }
        shard.feedWaiting -= items
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
            case .readLog(_, let query):
                if let link = link(of: query.address) {
                    links[link].reads.append((query.after, query.through))
                }
                if answerFromMemory(query, shard, hub) { isAnswered = true }
            // A read whose session has gone is answered into the void.
            case .authenticated, .forgetRead: break
            case .close(let connection, let afterFlush):
                closeAtHub(connection, number, afterFlush: afterFlush)
            }
        }
        return isAnswered
    }

    // MARK: Reads

    private func answerFromMemory(
        _ query: LogQuery,
        _ shard: SimulatedHub.Shard,
        _ hub: SimulatedHub
    ) -> Bool {
        guard let first = hub.recent.first, query.after + 1 >= first.sequence,
            query.after < query.through,
            let last = hub.recent.last, query.through <= last.sequence,
            query.through - query.after <= UInt64(query.limit),
            query.checkAt == 0 || query.checkAt > query.after
        else {
            shard.reads.append(query)
            after(100 + below(30_000), .page(query.address.shard, life: hub.life))
            return false
        }
        let from = Int(query.after + 1 - first.sequence)
        let records = Array(hub.recent[from...Int(query.through - first.sequence)])
        do throws(StoreError) {
            let page = try query.page(ofAll: records, now: now.time)
            shard.core.receive(.page(page), of: name, now: now)
        } catch {
            violate("records in memory cannot be read: \(error)")
        }
        return true
    }

    /// The reader's thread answers the read that waits longest.
    func answerRead(_ number: Int, _ life: Int) {
        guard let hub, hub.life == life, !hub.shards[number].reads.isEmpty else { return }
        let query = hub.shards[number].reads.removeFirst()
        var page = LogPage(failing: query)
        if !strikes(.refusedRead, oneIn: 40) {
            disk.setFaults(MemoryFaults())
            do throws(StoreError) {
                page = try hub.missed.page(query, from: hub.store.reader, now: now.time)
            } catch {
                violate("a read fails for no reason: \(error)")
            }
        }
        count(5, page.failed ? -1 : page.records.count)
        hub.shards[number].mail.append(.page(page))
        wakeShard(number)
    }
}
