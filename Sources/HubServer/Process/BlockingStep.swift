import Foundation
import Synchronization

/// Something that blocks and must happen once, off the threads that tasks share.
final class BlockingStep: Sendable {
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Runs `body` for the first caller; every caller waits for its end.
    func once(_ body: @escaping @Sendable () -> Void) async {
        let step = task.withLock { task in
            let step =
                task
                ?? Task {
                    await withCheckedContinuation { continuation in
                        DispatchQueue.global().async {
                            body()
                            continuation.resume()
                        }
                    }
                }
            task = step
            return step
        }
        await step.value
    }
}
