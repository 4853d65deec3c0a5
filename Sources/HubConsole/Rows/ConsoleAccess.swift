/// Who may reach the console; to others its pages are unknown paths.
package enum ConsoleAccess: String, CaseIterable, Sendable {
    /// Everyone: for a certificate that browsers trust.
    case on
    /// Programs on the hub's machine that no proxy stands before, and relays of `belfry console`.
    case loopback
    /// No one.
    case off
}
