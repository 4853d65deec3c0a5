package import HubVocabulary

/// Clocks, read on the thread that asks.
package enum Clock {
    /// The present.
    package static var now: Now {
        let time = TurnTime.read()
        return Now(
            instant: Instant(nanoseconds: time.nanoseconds),
            time: Timestamp(milliseconds: time.wallMilliseconds)
        )
    }
}
