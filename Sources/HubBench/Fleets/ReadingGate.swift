import Glibc
import Synchronization

/// Stops a thread that plays devices, so that none of its sockets is read, until it is opened.
final class ReadingGate: Sendable {
    private static let lookMicroseconds: UInt32 = 2_000

    private let isClosed = Atomic<Bool>(false)

    /// The next thread that comes waits.
    func close() { isClosed.store(true, ordering: .releasing) }

    /// All threads go on.
    func open() { isClosed.store(false, ordering: .releasing) }

    /// Waits while the gate is closed; for the hook of a fleet.
    func pass() {
        // The thread has to stand still, and runs nothing else. Looking costs least of all that
        // needs no handle which both sides would have to own.
        while isClosed.load(ordering: .acquiring) { _ = usleep(Self.lookMicroseconds) }
    }
}
