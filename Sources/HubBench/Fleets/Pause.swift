/// Time that has to pass.
enum Pause {
    /// Waits so long, and returns false when the task is cancelled before.
    @discardableResult
    static func last(_ duration: Duration) async -> Bool {
        do {
            try await Task.sleep(for: duration)
            return true
        } catch {
            return false
        }
    }
}
