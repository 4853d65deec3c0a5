/// Says what opening a store is about, when that takes long, and whether it goes on.
struct OpeningProgress {
    let ending: StoreEnding
    private let clock = ContinuousClock()
    private let interval: Duration
    private let tell: (String) -> Void
    private var next: ContinuousClock.Instant

    init(
        _ limits: StoreLimits,
        ending: StoreEnding = StoreEnding(),
        tell: @escaping (String) -> Void
    ) {
        self.ending = ending
        interval = .milliseconds(limits.progressMilliseconds)
        self.tell = tell
        next = clock.now + interval
    }

    /// One of several steps begins; said when the last word is long enough ago.
    mutating func step(_ text: @autoclosure () -> String) {
        guard clock.now >= next else { return }
        tell(text())
        next = clock.now + interval
    }
}
