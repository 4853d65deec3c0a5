import HubVocabulary

/// How often each address does something, for so many addresses and no more.
///
/// An IPv6 address counts by its first 64 bits, which is what one customer gets. When the table is
/// full, the address that was silent longest is forgotten. So a client with many addresses pushes
/// out silent ones, and never resets a busy one.
struct AddressRates {
    private struct Entry {
        var bucket: RateBucket
        /// Number of the latest use.
        var used: UInt64
    }

    private let addressesMax: Int
    private var entries: [DeviceID: Entry] = [:]
    private var uses: UInt64 = 0

    /// An empty table.
    init(addressesMax: Int) { self.addressesMax = addressesMax }

    /// How many addresses are remembered.
    var count: Int { entries.count }

    /// Takes one token of an address if it has one.
    ///
    /// Constant time, but for a new address at a full table: linear in its size, which is little
    /// beside the handshake that came before.
    mutating func take(
        _ address: DeviceID,
        perSecond: UInt32,
        burst: UInt32,
        now: Instant
    ) -> Bool {
        let key = Self.network(of: address)
        uses += 1
        if entries[key] == nil, entries.count >= addressesMax {
            let oldest = entries.min { $0.value.used < $1.value.used }
            if let oldest { entries[oldest.key] = nil }
        }
        var entry = entries[key] ?? Entry(bucket: RateBucket(now: now), used: uses)
        let isAllowed = entry.bucket.take(1, perSecond: perSecond, burst: burst, now: now)
        entry.used = uses
        entries[key] = entry
        return isAllowed
    }

    /// Returns the address under which another one counts: an IPv4 address itself, otherwise its
    /// /64.
    static func network(of address: DeviceID) -> DeviceID {
        let isIPv4 = address.high == 0 && address.low >> 32 == 0xFFFF
        return isIPv4 ? address : DeviceID(high: address.high, low: 0)
    }
}
