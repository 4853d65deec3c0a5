/// Why the hub sends GOAWAY; an unknown number counts as `drain`.
package enum GoawayReason: UInt8, CaseIterable, Sendable {
    case drain = 1
    /// Reserved in version 1.
    case redirect = 2
    case overload = 3
    case takenOver = 4
    case versionSunset = 5
}
