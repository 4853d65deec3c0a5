import Synchronization

/// One caller at a time for each key; callers of a key go on in the order in which they came.
final class KeyedLock: Sendable {
    private let waiters = Mutex<[String: [CheckedContinuation<Void, Never>]]>([:])

    /// Runs `body` while no other task has any of the keys.
    func with<Value>(_ keys: [String], _ body: () async throws -> Value) async throws -> Value {
        // In one order for everybody, so that two callers never wait for each other.
        let sorted = Set(keys).sorted()
        for key in sorted { await acquire(key) }
        defer { for key in sorted { release(key) } }
        return try await body()
    }

    private func acquire(_ key: String) async {
        await withCheckedContinuation { continuation in
            let isFree = waiters.withLock { waiters in
                guard waiters[key] != nil else {
                    waiters[key] = []
                    return true
                }
                waiters[key]?.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func release(_ key: String) {
        let next = waiters.withLock { waiters -> CheckedContinuation<Void, Never>? in
            guard var queue = waiters[key], !queue.isEmpty else {
                waiters[key] = nil
                return nil
            }
            let first = queue.removeFirst()
            waiters[key] = queue
            return first
        }
        next?.resume()
    }
}
