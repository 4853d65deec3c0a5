import HubVocabulary
import Synchronization

/// The names of one request, as its caller sees them.
///
/// Source: REST §2.4.
package struct Tracking: Sendable {
    /// The caller's `TrackingId` when it has a usable one, else new.
    package let id: String
    /// Always new.
    let correlation: String

    private static let random = Mutex(RandomPool(drawnFrom: SystemRandomNumberGenerator()))

    /// Takes over up to 64 letters, digits, `-` and `_`; anything else is replaced.
    init(echoing given: String?) {
        correlation = Self.newID()
        guard let given, (1...64).contains(given.utf8.count),
            given.utf8.allSatisfy(Self.isPlain)
        else {
            id = Self.newID()
            return
        }
        id = given
    }

    /// A random UUID, lower case.
    ///
    /// Made here because Foundation's opens the system's random device for each.
    private static func newID() -> String {
        var (high, low) = random.withLock { ($0.next(), $0.next()) }
        high = high & ~0xF000 | 0x4000
        low = low & ~(0b11 << 62) | 0b10 << 62
        // Each request has two: no list is made for a digit or a place.
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for place in 0..<32 {
            if place & 3 == 0, (8...20).contains(place) { text.append(UInt8(ascii: "-")) }
            let half = place < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (place & 15))) & 0xF
            text.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
