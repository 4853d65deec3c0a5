/// Waits that end in time, with or without a value.
enum TimeLimit {
    /// Returns the value of `body`; nil when that takes longer, and the value is dropped.
    static func value<Value: Sendable>(
        within limit: Duration,
        _ body: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let (values, continuation) = AsyncStream<Value>.makeStream()
        let reading = Task {
            continuation.yield(await body())
            continuation.finish()
        }
        let limiting = Task {
            // Cancelled when the value was there first.
            try? await Task.sleep(for: limit)
            continuation.finish()
        }
        defer {
            reading.cancel()
            limiting.cancel()
        }
        var iterator = values.makeAsyncIterator()
        return await iterator.next()
    }
}
