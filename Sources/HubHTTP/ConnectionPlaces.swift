import NIOCore
import Synchronization

/// The connections of one listener; closes those that give way to others.
///
/// Any thread may use it.
package final class ConnectionPlaces: Sendable {
    private struct State {
        var table: PlaceTable<ObjectIdentifier>
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isCheckDue = false
    }

    private let state: Mutex<State>
    private let onYield: @Sendable () -> Void

    /// No connections yet; `onYield` is told of each that gives way, for counting.
    package init(
        _ limits: PlaceTable<ObjectIdentifier>.Limits,
        onYield: @escaping @Sendable () -> Void = {}
    ) {
        state = Mutex(State(table: PlaceTable(limits)))
        self.onYield = onYield
    }

    func enter(_ channel: any Channel, at now: NIODeadline) {
        change { state in
            state.channels[ObjectIdentifier(channel)] = channel
            return state.table.enter(ObjectIdentifier(channel), at: now)
        }
        checkLater(on: channel.eventLoop)
    }

    /// Looks again when a connection gives way by its time, though no other one enters.
    private func checkLater(on loop: any EventLoop) {
        let deadline = state.withLock { state -> NIODeadline? in
            guard !state.isCheckDue, let due = state.table.nextRelief else { return nil }
            state.isCheckDue = true
            return due.at
        }
        guard let deadline else { return }
        loop.scheduleTask(deadline: deadline) { [self] in
            change { state in
                state.isCheckDue = false
                return state.table.relieve(at: loop.now)
            }
            checkLater(on: loop)
        }
    }

    func progressed(_ channel: any Channel, at now: NIODeadline) {
        state.withLock { $0.table.progressed(ObjectIdentifier(channel), at: now) }
    }

    func setBlocked(_ channel: any Channel, _ isBlocked: Bool, at now: NIODeadline) {
        change { $0.table.setBlocked(ObjectIdentifier(channel), isBlocked, at: now) }
    }

    func setUnread(_ channel: any Channel, _ bytes: Int, at now: NIODeadline) {
        changeAll { $0.table.setUnread(ObjectIdentifier(channel), bytes, at: now) }
    }

    func leave(_ channel: any Channel) {
        state.withLock { state in
            state.table.leave(ObjectIdentifier(channel))
            state.channels[ObjectIdentifier(channel)] = nil
        }
    }

    private func change(_ body: (inout State) -> ObjectIdentifier?) {
        changeAll { state in body(&state).map { [$0] } ?? [] }
    }

    private func changeAll(_ body: (inout State) -> [ObjectIdentifier]) {
        let yielding = state.withLock { state -> [any Channel] in
            body(&state).compactMap { state.channels.removeValue(forKey: $0) }
        }
        for channel in yielding {
            onYield()
            channel.close(promise: nil)
        }
    }
}
