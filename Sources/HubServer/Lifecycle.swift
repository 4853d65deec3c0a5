import Foundation
import ServiceLifecycle
import Synchronization

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

/// Tells the world that REST accepts.
struct Announcer: Service {
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

/// Values that may come too late.
enum Late {
    /// What `body` returns; nil when that takes longer, and then nobody reads it.
    static func value<Value: Sendable>(
        within limit: Duration,
        _ body: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let (values, continuation) = AsyncStream<Value>.makeStream()
        let reading = Task {
            continuation.yield(await body())
            continuation.finish()
        }
        let limiting = Task {
            // Cancelled when the value was there first.
            try? await Task.sleep(for: limit)
            continuation.finish()
        }
        defer {
            reading.cancel()
            limiting.cancel()
        }
        var iterator = values.makeAsyncIterator()
        return await iterator.next()
    }
}

/// Something that blocks and must happen once, off the threads that tasks share.
final class BlockingStep: Sendable {
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Runs `body` for the first caller; every caller waits for its end.
    func once(_ body: @escaping @Sendable () -> Void) async {
        let step = task.withLock { task in
            let step =
                task
                ?? Task {
                    await withCheckedContinuation { continuation in
                        DispatchQueue.global().async {
                            body()
                            continuation.resume()
                        }
                    }
                }
            task = step
            return step
        }
        await step.value
    }
}
