/// The repeats of one request: spaced as a policy says, begun within its patience and a deadline.
struct RetryTimes {
    private let policy: RetryPolicy
    private let deadline: ContinuousClock.Instant?
    private let start = ContinuousClock.now
    private var attempt = 0

    /// Begins with the first attempt.
    init(_ policy: RetryPolicy, deadline: ContinuousClock.Instant?) {
        self.policy = policy
        self.deadline = deadline
    }

    /// Waits for the next attempt; false when it is time to give up.
    mutating func wait(behind error: SenderError) async -> Bool {
        attempt += 1
        guard error.invitesRepeat else { return false }
        var asked: Int?
        if case .refused(let refused) = error { asked = refused.retryAfterSeconds }
        let pause = policy.pause(after: attempt, asked: asked)
        let next = ContinuousClock.now + pause
        guard next - start <= policy.patience, deadline.map({ next < $0 }) ?? true else {
            return false
        }
        // Sleeping fails only when the task is cancelled, and then nothing is repeated.
        return (try? await Task.sleep(for: pause)) != nil
    }
}
