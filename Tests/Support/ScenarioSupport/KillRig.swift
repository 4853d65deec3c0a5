/// A hub under a load; it is killed again and again.
final class KillRig {
    private(set) var hub: RunningHub
    private let load: RigLoad

    /// Starts everything and waits until every device is subscribed; `arguments` go to the hub.
    init(seed: UInt64, _ arguments: [String] = []) async throws {
        hub = try await RunningHub.startRestartable(arguments)
        load = try await RigLoad(seed: seed, folder: hub.folder.path)
    }

    /// Kills the hub after some more answers, and starts it again; the time until it listens.
    ///
    /// With `delivers` a device must have received something before. `whileAway` gets the hub's
    /// folder between both.
    func cycle(
        answers: Int,
        delivers: Bool,
        whileAway: (ScenarioFolder) throws -> Void = { _ in }
    ) async throws -> Duration {
        try await work(answers: answers, delivers: delivers)
        try await hub.kill()
        load.rest()
        try whileAway(hub.folder)
        let start = ContinuousClock.now
        hub = try await hub.startedAgain()
        let elapsed = ContinuousClock.now - start
        load.reconnect()
        return elapsed
    }

    /// Waits for some more answers, and for a delivery with `delivers`.
    func work(answers: Int, delivers: Bool) async throws {
        try await load.work(answers: answers, delivers: delivers)
    }

    /// Has the load rest until more work is asked for.
    func rest() { load.rest() }

    /// Lets the senders end, and waits for everything that they sent.
    func finish() async throws -> KillJournal { try await load.finish(hub.connection) }

    /// Asks what became of each notification; what the hub says otherwise in the end.
    func acknowledgements(
        _ journal: KillJournal,
        sampled most: Int
    ) async throws -> (checked: Int, faults: [String]) {
        try await load.acknowledgements(journal, sampled: most, hub.connection)
    }

    /// Ends everything in order.
    func end() async throws {
        try await load.end()
        let code = try await hub.terminate()
        guard code == 0 else { throw RigLoad.Failed(reason: "the hub ended with \(code)") }
    }
}
