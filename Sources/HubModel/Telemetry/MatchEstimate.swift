/// How many registrations match a notification, by what can become of it there.
package struct MatchEstimate: Equatable, Sendable {
    /// Registrations of our devices.
    package var reachable: UInt64 = 0
    /// Registrations with a handle that no device of this hub has.
    package var unknownHandle: UInt64 = 0
    /// Template registrations whose template no longer compiles.
    package var templateError: UInt64 = 0

    /// None.
    package init() {}
}
