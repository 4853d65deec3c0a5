import HubModel
import HubTables

/// The idempotency keys that a hub's start has left to be read: pages of them, one at a time.
struct KeyFilling: Sendable {
    /// Milliseconds to the next page, for who waits for other work meanwhile.
    private(set) var pause = 0

    private var keys: EarlierKeys
    private let log: any KeyReading
    private let onEnd: @Sendable (EarlierKeys) -> Void

    /// Milliseconds until a log that cannot be read is tried again.
    private static let retryMilliseconds = 1_000

    /// `onEnd` hears when all are read.
    init(
        _ keys: EarlierKeys,
        from log: any KeyReading,
        onEnd: @escaping @Sendable (EarlierKeys) -> Void
    ) {
        (self.keys, self.log, self.onEnd) = (keys, log, onEnd)
    }

    /// Reads a page; whether there are more to read.
    ///
    /// Of a log that is damaged no more are read: the hub goes on looking new keys up.
    mutating func step() -> Bool {
        pause = 0
        do throws(StoreError) {
            try keys.read(log)
        } catch {
            if case .corrupted = error { return false }
            pause = Self.retryMilliseconds
            return true
        }
        guard keys.isWhole else { return true }
        onEnd(keys)
        return false
    }
}
