import ServiceLifecycle

/// Tells the world that REST accepts.
struct PortAnnouncer: Service {
    private let ports: AsyncStream<Int>
    private let announce: @Sendable (Int) throws -> Void

    init(ports: AsyncStream<Int>, _ announce: @escaping @Sendable (Int) throws -> Void) {
        self.ports = ports
        self.announce = announce
    }

    func run() async throws {
        for await port in ports.cancelOnGracefulShutdown() { try announce(port) }
        try await gracefulShutdown()
    }
}
