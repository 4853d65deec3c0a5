import FoundationEssentials

/// What names one request towards its caller.
///
/// Source: REST §2.4.
struct Tracking {
    /// The caller's `TrackingId` when it has a usable one, else new.
    let id: String
    /// Always new.
    let correlation: String

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

    private static func newID() -> String { UUID().uuidString.lowercased() }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
