/// Why a GAP was sent; an unknown number counts as `historyLost`.
package enum GapReason: UInt8, CaseIterable, Sendable {
    /// Nothing is lost: the next delta would not fit in 32 bits.
    case moved = 0
    /// More waited than the hub keeps for one device.
    case deviceCap = 1
    /// The hub lost history.
    case historyLost = 2
    /// An operator purged notifications.
    case purge = 3
    /// The hub no longer knows the tags that the registration had then.
    case tagHistoryCut = 4
}
