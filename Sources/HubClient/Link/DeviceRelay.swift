import HubVocabulary
import Synchronization

/// Passes a loop's events on to an app's stream.
final class DeviceRelay: DeviceObserver {
    private struct Progress {
        var hasEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let continuation: AsyncStream<DeviceEvent>.Continuation
    private let progress = Mutex(Progress())

    init(_ continuation: AsyncStream<DeviceEvent>.Continuation) {
        self.continuation = continuation
    }

    func device(_ index: Int, did event: DeviceEvent, at time: Instant) {
        continuation.yield(event)
    }

    func loopEnded() {
        continuation.finish()
        let waiters = progress.withLock { progress in
            progress.hasEnded = true
            defer { progress.waiters = [] }
            return progress.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when the loop has ended.
    func ended() async {
        await withCheckedContinuation { waiter in
            let isOver = progress.withLock { progress in
                if !progress.hasEnded { progress.waiters.append(waiter) }
                return progress.hasEnded
            }
            if isOver { waiter.resume() }
        }
    }
}
