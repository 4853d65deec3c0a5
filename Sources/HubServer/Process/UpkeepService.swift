import ServiceLifecycle

/// Does something again and again until the server ends.
struct UpkeepService: Service {
    private let pause: Duration
    private let work: @Sendable () async -> Void

    /// Does it at once, and then after each pause.
    init(every pause: Duration, _ work: @escaping @Sendable () async -> Void) {
        self.pause = pause
        self.work = work
    }

    func run() async throws {
        // Ends by cancellation alone.
        try? await cancelWhenGracefulShutdown {
            while true {
                await work()
                try await Task.sleep(for: pause)
            }
        }
    }
}
