import ServiceLifecycle

/// Waits for the order to stop, then drains the devices while REST still answers.
struct DrainService: Service {
    private let drain: @Sendable () async -> Void

    init(_ drain: @escaping @Sendable () async -> Void) { self.drain = drain }

    func run() async throws {
        // Cancelled, somebody else drains: cancelled services have little time.
        try await gracefulShutdown()
        await drain()
    }
}
