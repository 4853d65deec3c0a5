import ServiceLifecycle

/// Waits for the order to stop, then drains the devices while REST still answers.
struct DrainService: Service {
    private let drain: @Sendable () async -> Void

    init(_ drain: @escaping @Sendable () async -> Void) { self.drain = drain }

    func run() async throws {
        // Cancelled services have little time: `leave` drains then.
        try await gracefulShutdown()
        await drain()
    }
}
