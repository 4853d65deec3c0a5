package import HubCluster
package import NIOCore
import Synchronization

/// Who leads, as this node last heard, for requests that wait for news of it.
package final class LeaderWatch: Sendable {
    private struct State {
        var row: LeadRow?
        var isEnding = false
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var counter: UInt64 = 0
        var onChange: (@Sendable (Leader?) -> Void)?
    }

    private struct News {
        var leader: Leader?
        var waiting: [CheckedContinuation<Void, Never>]
        var tell: (@Sendable (Leader?) -> Void)?
    }

    /// A node that leads, and where it is reached.
    package struct Leader: Hashable, Sendable {
        /// The number of its lead.
        package let term: UInt64
        /// Its run.
        package let run: UInt64
        /// Its name.
        package let node: String
        /// Its REST interface.
        package let rest: NodeAddress
        /// Its device port; nil while it is not known.
        package let devices: NodeAddress?

        /// The address of a path at its REST interface, under the name that fronts ask for.
        ///
        /// An absolute target loses its scheme and authority; one in another form could name another
        /// host, and has none.
        package func url(of target: String) -> String? {
            var path = target[...]
            if !path.hasPrefix("/"), let scheme = path.firstRange(of: "://") {
                let rest = path[scheme.upperBound...]
                path = rest[(rest.firstIndex(of: "/") ?? rest.endIndex)...]
                if path.isEmpty { path = "/" }
            }
            guard path.hasPrefix("/"), !path.contains("#") else { return nil }
            return "https://\(NodeCertificate.name):\(rest.port)\(path)"
        }

        /// The leader of a row; nil when none leads, or when it said no place.
        package init?(_ row: LeadRow?) {
            guard let row, row.isHeld, let rest = NodeAddress(row.address) else { return nil }
            term = row.term
            run = row.holder
            node = row.node
            self.rest = rest
            devices = NodeAddress(row.devices)
        }
    }

    private let state = Mutex(State())

    /// Nothing was heard yet.
    package init() {}

    /// Who leads; nil when none does, as far as is known.
    package var leader: Leader? { state.withLock { Leader($0.row) } }

    /// Whether the node is to end: nothing waits any longer.
    package var isEnding: Bool { state.withLock { $0.isEnding } }

    /// Has changes told, on the thread that hears of them.
    package func whenChanged(_ body: @escaping @Sendable (Leader?) -> Void) {
        state.withLock { $0.onChange = body }
    }

    /// Takes what the database says.
    package func hear(_ row: LeadRow) {
        let news = state.withLock { state -> News? in
            let (before, after) = (Leader(state.row), Leader(row))
            state.row = row
            guard before != after else { return nil }
            defer { state.waiting = [:] }
            return News(leader: after, waiting: state.waiting.map(\.value), tell: state.onChange)
        }
        guard let news else { return }
        news.tell?(news.leader)
        for continuation in news.waiting { continuation.resume() }
    }

    /// Lets nothing wait from now on.
    package func end() {
        let waiting = state.withLock { state in
            state.isEnding = true
            defer { state.waiting = [:] }
            return state.waiting.map(\.value)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until another leads than `leader`, but not longer than a while.
    package func change(
        from leader: Leader?,
        within milliseconds: UInt64,
        on loop: any EventLoop
    ) async {
        await withCheckedContinuation { continuation in
            let number = state.withLock { state -> UInt64? in
                guard !state.isEnding, Leader(state.row) == leader else { return nil }
                state.counter += 1
                state.waiting[state.counter] = continuation
                return state.counter
            }
            guard let number else { return continuation.resume() }
            loop.scheduleTask(in: .milliseconds(Int64(milliseconds))) { [self] in
                state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
            }
        }
    }
}
