import Foundation
import Synchronization

/// One shard's part of what a thread waits for; done when it says so, or when the shard ends before
/// it comes to it.
final class ShardConfirmation: Sendable {
    private let group: Mutex<DispatchGroup?>

    init(_ group: DispatchGroup) {
        group.enter()
        self.group = Mutex(group)
    }

    deinit { done() }

    /// Ends the wait for this shard; more calls do nothing.
    func done() {
        let waiting = group.withLock { group in
            defer { group = nil }
            return group
        }
        waiting?.leave()
    }
}
