import HubModel
import HubVocabulary
import HubWire

/// An entry chosen for a session that is catching up; holds its parcel until it is written.
struct HeldEntry {
    var sequence: UInt64
    /// The check value of the record before it, for a GAP in front.
    var previousCheck: UInt32
    var slot: UInt16
    /// Other slots that match the record with the same bytes, which are sent once; ascending.
    var twins: [UInt16] = []
    var platform: Platform
    /// The record's own check value.
    var check: UInt32
    /// Of the notification; a later entry of the same slot with the same key replaces this one.
    var collapseKey: [UInt8]
    /// Whether every slot it came for was given something newer.
    var isReplaced = false
    var parcel: Parcel
}

extension HeldEntry {
    /// Bytes that it takes of its device's window.
    var bytes: Int { parcel.bytes.count + WireLimits.deliverEntryPrefixBytes }

    /// It is not for these slots any more; false when none is left for which it is.
    mutating func leave(_ gone: [UInt16]) -> Bool {
        let left = ([slot] + twins).filter { !gone.contains($0) }.sorted()
        guard let first = left.first else { return false }
        slot = first
        twins = Array(left.dropFirst())
        return true
    }
}
