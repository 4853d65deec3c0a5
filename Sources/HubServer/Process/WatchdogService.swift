import ServiceLifecycle

/// Tells the service manager that device threads and writers take turns; one that hangs keeps it silent.
struct WatchdogService: Service {
    private let limit: Duration?
    private let say: @Sendable () -> Void
    private let turn: @Sendable () async -> Void

    /// Joins what is watched with the manager, which `say` tells of a turn.
    ///
    /// - Parameters:
    ///   - limit: the time within which the manager wants to hear of a turn; nil when it does not.
    ///   - say: tells the manager of a turn.
    ///   - turn: returns when each of the threads has done something that was asked of it.
    init(
        within limit: Duration?,
        say: @escaping @Sendable () -> Void,
        turn: @escaping @Sendable () async -> Void
    ) {
        self.limit = limit
        self.say = say
        self.turn = turn
    }

    func run() async throws {
        if let limit {
            // Ends by cancellation alone.
            try? await cancelWhenGracefulShutdown { try await beat(every: limit / 2) }
        }
        try await gracefulShutdown()
    }

    /// Twice within the limit, as sd_watchdog_enabled(3) advises.
    private func beat(every pause: Duration) async throws {
        while true {
            await turn()
            say()
            try await Task.sleep(for: pause)
        }
    }
}
