import Foundation
import Synchronization

/// Bounds the bytes of log pages that shards have not looked at yet.
///
/// The reader's thread takes, and sleeps while too much is out; the shards' threads give back.
final class PageBudget: Sendable {
    private struct State {
        var bytes = 0
        var isClosed = false
        var isAsleep = false
    }

    private let bytesMax: Int
    private let state = Mutex(State())
    private let alarm = DispatchSemaphore(value: 0)

    /// Lets pages of this many bytes be out, and one more.
    init(bytesMax: Int) { self.bytesMax = bytesMax }

    /// Takes; blocks while more than the bound is out.
    ///
    /// At once when closed.
    func take(_ bytes: Int) {
        let isOver = state.withLock { state in
            state.isAsleep = state.bytes > bytesMax && !state.isClosed
            return state.isAsleep
        }
        if isOver { alarm.wait() }
        state.withLock { $0.bytes += bytes }
    }

    /// Gives back.
    func giveBack(_ bytes: Int) {
        let mustWake = state.withLock { state in
            state.bytes -= bytes
            guard state.isAsleep, state.bytes <= bytesMax else { return false }
            state.isAsleep = false
            return true
        }
        if mustWake { alarm.signal() }
    }

    /// Blocks nobody any more.
    func close() {
        let mustWake = state.withLock { state in
            state.isClosed = true
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if mustWake { alarm.signal() }
    }
}
