package import HubModel
package import HubVocabulary

/// The writer of one hub: takes mail, commits in groups, keeps the store small.
///
/// One call is one turn. Mail, store, output and clock are given to it, so that a thread of the
/// server and the simulator run the same lines:
///
///     mail → tick → (group → commit → actions)* → checkpoint → keys → probe → tidy → rest
package struct WriterLoop {
    /// The hub whose order of events this is.
    package let hub: Hub
    /// The group that the store has not answered.
    package private(set) var inFlight: CommitGroup?
    private var isStopping = false
    private var isIdle = false
    private var nextTidying: Instant
    /// When a store that refused its last commit was last asked.
    private var refusedAt: Instant?

    /// The longest rest: a step of the clock or a lapsed registration must not go unnoticed.
    private static let restMilliseconds: UInt64 = 250
    /// Milliseconds until a store that refused something is asked again.
    private static let probeMilliseconds: UInt64 = 1_000

    /// A writer without mail.
    package init(hub: Hub, now: Now) {
        self.hub = hub
        nextTidying = now.instant
    }

    /// Runs one turn.
    ///
    /// A writer that stops turns until it says that it has stopped, and takes no new mail.
    package mutating func turn(
        _ mail: [WriterMail],
        isStopping: Bool = false,
        store: inout some WriterStore,
        output: inout some WriterOutput,
        clock: () -> Now
    ) -> WriterRest {
        self.isStopping = isStopping
        isIdle = mail.isEmpty
        for message in mail { receive(message, now: clock()) }
        if isStopping { hub.stop() }
        hub.tick(now: clock())
        return commitAndRest(store: &store, output: &output, clock: clock)
    }

    /// Ends the turn whose commit the store answers only now.
    package mutating func committed(
        _ result: CommitResult,
        store: inout some WriterStore,
        output: inout some WriterOutput,
        clock: () -> Now
    ) -> WriterRest {
        guard let group = inFlight else { preconditionFailure("no commit waits for an answer") }
        inFlight = nil
        take(result, of: group, output: &output, now: clock())
        return commitAndRest(store: &store, output: &output, clock: clock)
    }

    /// Commits all that the hub has, group by group; false when the store has not answered.
    package mutating func commitAll(
        store: inout some WriterStore,
        output: inout some WriterOutput,
        clock: () -> Now
    ) -> Bool {
        repeat {
            guard commitSome(store: &store, output: &output, clock: clock) else { return false }
        } while hub.hasWork
        return true
    }

    /// The same, but only one piece of what may make much at once: new mail goes before the next.
    private mutating func commitSome(
        store: inout some WriterStore,
        output: inout some WriterOutput,
        clock: () -> Now
    ) -> Bool {
        perform(&output)
        while let group = hub.nextGroup(now: clock()) {
            guard let result = store.commit(group) else {
                inFlight = group
                return false
            }
            take(result, of: group, output: &output, now: clock())
            guard hub.hasPromptWork else { break }
        }
        perform(&output)
        return true
    }

    /// Makes the last cursors and counters durable, once the writer has stopped.
    package func finish(store: inout some WriterStore, clock: () -> Now) {
        // One that was refused before comes alone, and what came since behind it.
        for _ in 0..<2 { checkpoint(hub.checkpoint(now: clock()), store: &store) }
    }

    private func receive(_ message: WriterMail, now: Now) {
        switch message {
        case .call(let call): hub.receive(call, now: now)
        case .request(let request): hub.receive(request, now: now)
        case .lane(let report, let reply): hub.receive(report, reply)
        case .inspect(let body): body(hub)
        }
    }

    private mutating func take(
        _ result: CommitResult,
        of group: CommitGroup,
        output: inout some WriterOutput,
        now: Now
    ) {
        refusedAt = result.records ?? result.changes == nil ? nil : now.instant
        hub.committed(group, result, now: now)
        perform(&output)
    }

    private func perform(_ output: inout some WriterOutput) {
        for action in hub.takeActions() { output.perform(action) }
    }

    private mutating func commitAndRest(
        store: inout some WriterStore,
        output: inout some WriterOutput,
        clock: () -> Now
    ) -> WriterRest {
        guard commitSome(store: &store, output: &output, clock: clock) else { return .committing }
        checkpoint(hub.checkpointDue(now: clock()), store: &store)
        forgetKeys(store: &store, clock: clock)
        probe(store: &store, now: clock())
        if isStopping {
            if isIdle, !hub.hasWork { return .stopped }
        } else {
            tidy(store: &store, now: clock())
        }
        guard !isStopping, !hub.hasWork else { return .waiting(milliseconds: 0) }
        let due = hub.millisecondsUntilDue(now: clock()) ?? Self.restMilliseconds
        return .waiting(milliseconds: min(due, Self.restMilliseconds))
    }

    // MARK: Housekeeping

    private func checkpoint(_ batch: CheckpointBatch?, store: inout some WriterStore) {
        guard let batch else { return }
        do throws(StoreError) {
            try store.checkpoint(batch)
            hub.checkpointed()
        } catch {
            hub.checkpointFailed(batch, error)
        }
    }

    private func forgetKeys(store: inout some WriterStore, clock: () -> Now) {
        guard let time = hub.keysDue(now: clock()) else { return }
        do throws(StoreError) {
            let hasMore = try store.forgetKeys(before: time)
            hub.keysForgotten(hasMore: hasMore, now: clock())
        } catch {
            hub.forgettingFailed(error)
        }
    }

    /// Asks a store that refused its last commit again: a hub that is not ready may get no sends.
    private mutating func probe(store: inout some WriterStore, now: Now) {
        guard let since = refusedAt,
            now.instant.milliseconds(since: since) >= Self.probeMilliseconds
        else { return }
        do throws(StoreError) {
            try store.probe()
            refusedAt = nil
        } catch {
            refusedAt = now.instant
        }
    }

    /// One step of the store's housekeeping, when there may be one.
    private mutating func tidy(store: inout some WriterStore, now: Now) {
        guard now.instant >= nextTidying else { return }
        var wait = Hub.tidyingMilliseconds
        do throws(StoreError) {
            let result = try store.tidy(now: now, retention: hub.retention)
            hub.tidied(result, bounds: store.bounds)
            if result.hasMore { wait = 0 }
        } catch {
            hub.tidyingFailed(error)
        }
        nextTidying = now.instant.adding(milliseconds: wait)
    }
}
