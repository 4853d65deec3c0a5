import HubTransport
import NIOCore
import Synchronization

/// Has memory that ended REST connections leave behind given back to the system.
///
/// Requests and answers lie among blocks that are still used, so the C library keeps their pages.
final class EndedConnections: Sendable {
    /// Connections that end before it is worth it.
    private static let connectionsMin = 8
    /// Time in which more may end.
    private static let pause = TimeAmount.seconds(2)

    private let ended = Mutex<(count: Int, isDue: Bool)>((0, false))
    private let giveBack: @Sendable (_ nanoseconds: UInt64) -> Bool

    /// None has ended; `giveBack` gives memory back, or says that it is too soon for that.
    init(
        giveBack: @escaping @Sendable (UInt64) -> Bool = {
            ProcessMemory.returnFreeMemory(atNanoseconds: $0)
        }
    ) { self.giveBack = giveBack }

    /// A connection of this loop has ended.
    func add(on loop: any EventLoop) {
        let isDue = ended.withLock { ended in
            ended.count += 1
            guard ended.count >= Self.connectionsMin, !ended.isDue else { return false }
            ended.isDue = true
            return true
        }
        if isDue { schedule(on: loop, in: Self.pause) }
    }

    private func schedule(on loop: any EventLoop, in pause: TimeAmount) {
        _ = loop.scheduleTask(in: pause) { [self] in
            // Those that end from here on may still be freeing what they had.
            let counted = ended.withLock { $0.count }
            guard giveBack(loop.now.uptimeNanoseconds) else {
                return schedule(on: loop, in: .seconds(Int64(ProcessMemory.returnSeconds)))
            }
            let isDue = ended.withLock { ended in
                ended.count -= counted
                ended.isDue = ended.count >= Self.connectionsMin
                return ended.isDue
            }
            if isDue { schedule(on: loop, in: Self.pause) }
        }
    }
}
