import HubModel
package import HubVocabulary
import HubWire

/// One shard: mail and time in, what the core asks for carried out, one flush a turn.
///
/// Surroundings and clock are given to it, so that a reactor's thread and the simulator run the
/// same lines. A turn is: bytes and ends of connections to `core`, `receive` and `tick` as they
/// come, `endTurn` once.
package struct ShardLoop<Order: Sendable>: ~Copyable {
    /// The shard's decisions.
    package var core: ShardCore
    /// Mail that waits for the next turn.
    private var mail = UnreadMail<ShardMail<Order>>()

    /// A shard without mail.
    package init(_ core: consuming ShardCore) { self.core = core }

    /// Takes mail, in order.
    package mutating func receive(
        _ batch: [ShardMail<Order>],
        in surroundings: inout some ShardSurroundings<Order>,
        now: Now
    ) {
        mail.append(contentsOf: batch)
        readMail(in: &surroundings, now: now)
    }

    /// Looks at deadlines, and at mail that a turn had no time for.
    package mutating func tick(in surroundings: inout some ShardSurroundings<Order>, now: Now) {
        core.tick(now: now)
        if !mail.isEmpty { readMail(in: &surroundings, now: now) }
    }

    /// Writes what there is to write.
    ///
    /// Returns when `tick` is due at the latest, with or without connections; nil when nothing
    /// waits for it.
    package mutating func endTurn(
        in surroundings: inout some ShardSurroundings<Order>,
        now: Now
    ) -> Instant? {
        core.requestPages(now: now)
        while perform(in: &surroundings, now: now) { core.requestPages(now: now) }
        core.flush(into: surroundings.output, now: now)
        _ = perform(in: &surroundings, now: now)
        if core.wantsAnotherTurn || !mail.isEmpty { return now.instant }
        // Without a connection nothing else would wake this shard.
        return core.reportMilliseconds.map { now.instant.adding(milliseconds: $0) }
    }

    /// Reads mail in order until none is left, or the turn has as many deliveries as it should.
    private mutating func readMail(
        in surroundings: inout some ShardSurroundings<Order>,
        now: Now
    ) {
        var feeds: [HubName: FeedLoad] = [:]
        while !core.isTurnFull, let next = mail.next() {
            switch next {
            case .hub(let hub, let message):
                core.receive(message, of: hub, now: now)
                switch message {
                case .feed(let item):
                    feeds[hub, default: FeedLoad()].count += 1
                    feeds[hub, default: FeedLoad()].weight += item.weight
                case .page(let page): surroundings.applied(page, of: hub)
                default: break
                }
            case .order(let order): surroundings.carryOut(order, on: &core, now: now)
            }
        }
        surroundings.applied(feeds)
    }

    // MARK: Actions

    /// Carries out what the core asked for.
    ///
    /// Returns whether something was answered at once.
    private mutating func perform(
        in surroundings: inout some ShardSurroundings<Order>,
        now: Now
    ) -> Bool {
        let actions = core.actions
        guard !actions.isEmpty else { return false }
        core.actions = []
        var isAnswered = false
        for action in actions {
            switch action {
            case .directory(let hub, let request):
                if !surroundings.submit(request, of: hub) { refuse(request, of: hub, now: now) }
            case .readLog(let hub, let query):
                if let recent = surroundings.recentRecords(for: query, of: hub),
                    let page = query.page(ofRecent: recent, now: now.time)
                {
                    core.receive(.page(page), of: hub, now: now)
                    isAnswered = true
                } else {
                    surroundings.read(query, of: hub)
                }
            case .forgetRead(let hub, let device, let generation):
                surroundings.forgetRead(of: device, sessionGeneration: generation, of: hub)
            case .followed(let hub, let step): surroundings.tell(step, of: hub)
            case .authenticated(let connection): surroundings.markAuthenticated(connection)
            case .close(let connection, let afterFlush):
                surroundings.close(connection, afterFlush: afterFlush)
            }
        }
        return isAnswered
    }

    /// Answers a request for which the writer has no room.
    private mutating func refuse(_ request: DirectoryRequest, of hub: HubName, now: Now) {
        switch request {
        case .attach(let attach):
            core.receive(
                .attachRefused(attach.address, .unavailable, retryAfterMilliseconds: 5_000),
                of: hub,
                now: now
            )
        case .device(_, _, let address, let reference, let request):
            let outcome = DeviceOutcome(
                error: .unavailable,
                slot: request.slot,
                retryAfterMilliseconds: 5_000
            )
            core.receive(.outcome(address, reference: reference, outcome), of: hub, now: now)
        case .detach, .progress, .reload: break  // The writer has stopped.
        }
    }
}

extension LogQuery {
    /// The page of a read all of whose records are among the recent ones; nil when they are not.
    fileprivate func page(ofRecent records: [NotificationRecord], now: Timestamp) -> LogPage? {
        guard records.last?.sequence == through, checkAt == 0 || checkAt > after else { return nil }
        do throws(StoreError) {
            return try page(ofAll: records, now: now)
        } catch {
            // The reader of the log says what is wrong.
            return nil
        }
    }
}
