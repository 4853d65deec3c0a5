import ServiceLifecycle

/// Tells the service manager that device threads and writers take turns; one that hangs keeps it silent.
struct WatchdogService: Service {
    private let manager: ServiceManager
    private let turn: @Sendable () async -> Void

    /// `turn` returns when each of these threads has done something that was asked of it.
    init(_ manager: ServiceManager, turn: @escaping @Sendable () async -> Void) {
        self.manager = manager
        self.turn = turn
    }

    func run() async throws {
        if let limit = manager.watchdog {
            // Ends by cancellation alone.
            try? await cancelWhenGracefulShutdown { try await beat(every: limit / 2) }
        }
        try await gracefulShutdown()
    }

    /// Twice within the limit, as sd_watchdog_enabled(3) advises.
    private func beat(every pause: Duration) async throws {
        while true {
            await turn()
            manager.say(.watchdog)
            try await Task.sleep(for: pause)
        }
    }
}
