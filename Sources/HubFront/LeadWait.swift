import Dispatch
package import HubDatabase
import ServiceLifecycle
import Synchronization

/// Waits for the lead beside a front, and then for the end of the front.
package final class LeadWait: Service {
    /// Between two looks whether the node is to end.
    package static let pause: Duration = .milliseconds(500)
    /// Looks between two readings of the keys, which its leader may change.
    private static let looksPerKeys = 20

    private enum Stage: UInt8, AtomicRepresentable {
        case waiting
        /// The node serves from now on; its front only answers what it has.
        case leaving
        /// The node was told to end.
        case told
    }

    private let database: ServerDatabase
    private let front: NodeFront
    private let onTurn: @Sendable () -> Void
    private let onLead: @Sendable () -> Void
    private let stage = Atomic<Stage>(.waiting)

    /// Waits for a node; `onTurn` is told that it does now and then, `onLead` that it leads.
    package init(
        _ database: ServerDatabase,
        _ front: NodeFront,
        onTurn: @escaping @Sendable () -> Void,
        onLead: @escaping @Sendable () -> Void
    ) {
        self.database = database
        self.front = front
        self.onTurn = onTurn
        self.onLead = onLead
    }

    /// The front is to end, and the node is not; false when the node was told to end before.
    package func leave() -> Bool {
        stage.compareExchange(
            expected: .waiting,
            desired: .leaving,
            ordering: .acquiringAndReleasing
        ).exchanged
    }

    private var isEnding: Bool { stage.load(ordering: .acquiring) != .waiting }

    /// Looks until the node leads, and stays until its front ends.
    package func run() async throws {
        try await withGracefulShutdownHandler {
            var looks = 0
            while !isEnding, !Task.isCancelled {
                onTurn()
                looks += 1
                guard try await look(readsKeys: looks % Self.looksPerKeys == 0) else { continue }
                onLead()
                break
            }
            try await gracefulShutdown()
        } onGracefulShutdown: { [self] in
            let isTold = stage.compareExchange(
                expected: .waiting,
                desired: .told,
                ordering: .acquiringAndReleasing
            ).exchanged
            if isTold { front.end() }
        }
    }

    /// Blocks a thread that may be blocked.
    private func look(readsKeys: Bool) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { [database] in
                continuation.resume(
                    with: Result {
                        if try database.takeLead(within: Self.pause) { return true }
                        // A database that is away tells them the next time.
                        if readsKeys { _ = try? database.takeKeys() }
                        return false
                    }
                )
            }
        }
    }
}
