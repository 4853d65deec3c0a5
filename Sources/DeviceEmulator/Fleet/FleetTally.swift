package import HubClient
package import HubVocabulary
import Synchronization

/// Counts what happens to the devices of one loop.
package final class FleetTally: DeviceObserver {
    /// Called with a device's number, what it received and when, on the loop's thread.
    package typealias NotificationHook =
        @Sendable (Int, borrowing ReceivedNotification, Instant) -> Void

    private let first: Int
    private let stride: Int
    private let hook: NotificationHook
    private struct Counted {
        var progress = FleetProgress()
        var isConnected: [Bool] = []

        mutating func take(_ event: DeviceEvent, of index: Int) {
            switch event {
            case .notification(let notification):
                progress.received += 1
                progress.wireBytes += notification.wireBytes
                progress.payloadBytes += notification.payloadBytes
            case .connected: setConnected(true, index)
            case .registered(_, let isUnchanged): progress.registered += isUnchanged ? 0 : 1
            case .gap: progress.gaps += 1
            case .disconnected(let departure, _):
                setConnected(false, index)
                // Goodbyes of its own are no losses.
                guard departure != .closedByApp else { return }
                progress.disconnected += 1
                note(departure.label)
            case .fault(let fault):
                progress.faults += 1
                note(fault.description)
            case .unregistered, .upToDate: break
            }
        }

        private mutating func setConnected(_ isNow: Bool, _ index: Int) {
            while isConnected.count <= index { isConnected.append(false) }
            guard isConnected[index] != isNow else { return }
            isConnected[index] = isNow
            progress.connected += isNow ? 1 : -1
        }

        private mutating func note(_ fault: String) {
            progress.firstFault = progress.firstFault ?? fault
        }
    }

    private let counted = Mutex(Counted())
    private let kept = Atomic<Int>(0)
    private let announced = Atomic<Int>(0)
    private let hasEnded = Awaited(false)

    init(first: Int, stride: Int, _ hook: @escaping NotificationHook) {
        self.first = first
        self.stride = stride
        self.hook = hook
    }

    /// Notes what happened to a device.
    package func device(_ index: Int, did event: DeviceEvent, at time: Instant) {
        if case .notification(let notification) = event {
            hook(first + index * stride, notification, time)
        }
        if case .gap(let notice) = event {
            announced.add(notice.lost ?? 0, ordering: .relaxed)
        }
        counted.withLock { $0.take(event, of: index) }
    }

    /// Counts a keep-alive.
    package func deviceKeptAlive(_ index: Int, at time: Instant) {
        kept.add(1, ordering: .relaxed)
    }

    /// Lets those go on who wait for the end.
    package func loopEnded() { hasEnded.change { $0 = true } }

    var keepAlives: Int { kept.load(ordering: .relaxed) }

    var announcedLosses: Int { announced.load(ordering: .relaxed) }

    var progress: FleetProgress { counted.withLock { $0.progress } }

    func ended() async { await hasEnded.wait { $0 } }
}
