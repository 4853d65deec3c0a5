/// When a notification stops being worth delivering.
///
/// Source: rules B.8, B.9.
package enum TimeToLive: Hashable, Sendable {
    /// Delivered only to sessions that are live when it is fanned out.
    case transient
    /// Seconds after acceptance, 1...2,419,200.
    case seconds(UInt32)
}
