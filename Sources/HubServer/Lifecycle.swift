import ServiceLifecycle

/// Waits for the order to stop, then drains the devices.
struct DrainService: Service {
    let drain: @Sendable () async -> Void

    init(_ drain: @escaping @Sendable () async -> Void) { self.drain = drain }

    func run() async throws {
        try? await gracefulShutdown()
        await drain()
    }
}

/// Tells the world that REST accepts.
struct Announcer: Service {
    let ports: AsyncStream<Int>
    let announce: @Sendable (Int) throws -> Void

    init(ports: AsyncStream<Int>, _ announce: @escaping @Sendable (Int) throws -> Void) {
        self.ports = ports
        self.announce = announce
    }

    func run() async throws {
        for await port in ports.cancelOnGracefulShutdown() { try announce(port) }
        try? await gracefulShutdown()
    }
}
