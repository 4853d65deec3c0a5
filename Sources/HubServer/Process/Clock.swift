import HubTransport
import HubVocabulary

/// Clocks, read on the thread that asks.
enum Clock {
    /// The present.
    static var now: Now {
        let time = TurnTime.read()
        return Now(
            instant: Instant(nanoseconds: time.nanoseconds),
            time: Timestamp(milliseconds: time.wallMilliseconds)
        )
    }
}
