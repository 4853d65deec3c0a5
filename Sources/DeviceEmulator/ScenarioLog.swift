package import HubClient
import Synchronization

/// What the devices of a scenario experienced, by device.
package final class ScenarioLog: DeviceObserver {
    struct State: Sendable {
        var registered = 0
        var received: [[String]]
        var firstFault: String?
    }

    let end = LoopEnd()
    private let state: Mutex<State>

    init(devices: Int) {
        state = Mutex(State(received: [[String]](repeating: [], count: devices)))
    }

    /// Notes what happened to a device.
    package func device(_ index: Int, did event: DeviceEvent, at time: MonotonicTime) {
        state.withLock { state in
            switch event {
            case .registered: state.registered += 1
            case .notification(let notification):
                state.received[index].append(notification.text ?? "(not text)")
            case .fault(let fault): state.firstFault = state.firstFault ?? fault.description
            case .disconnected(let departure, _):
                if departure != .closedByApp {
                    state.firstFault = state.firstFault ?? departure.label
                }
            case .connected, .unregistered, .gap, .upToDate: break
            }
        }
    }

    /// Lets those go on who wait for the end.
    package func loopEnded() { end.signal() }

    var received: [[String]] { state.withLock { $0.received } }

    var firstFault: String? { state.withLock { $0.firstFault } }

    /// Begins a new round.
    func forgetReceived() {
        state.withLock { state in
            for index in state.received.indices { state.received[index] = [] }
        }
    }

    /// Waits until a condition holds; false when the time ran out first.
    func wait(upTo timeout: Duration, until isReached: (State) -> Bool) async -> Bool {
        let deadline = MonotonicTime.now + timeout
        while !isReached(state.withLock({ $0 })) {
            guard MonotonicTime.now < deadline, !Task.isCancelled else { return false }
            try? await Task.sleep(for: .milliseconds(2))
        }
        return true
    }
}
