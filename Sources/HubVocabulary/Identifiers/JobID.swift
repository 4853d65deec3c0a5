/// One bulk job: 19 digits that count down as time goes, so that the newest sort first, and a
/// random part in the form of a UUID.
///
/// Source: REST §13.
package struct JobID: Hashable, Comparable, Sendable {
    /// How REST names it: 55 ASCII characters.
    package let text: String

    private static let digits = 19
    private static let length = 55

    /// Returns a new id that a client cannot guess; later ids sort before earlier ones.
    package static func make(now: Timestamp, random: inout some RandomNumberGenerator) -> JobID {
        // Ticks of 100 ns from the year 1 to the end of the year 9999, and to 1970.
        let last: UInt64 = 3_155_378_975_999_999_999
        let epoch: UInt64 = 621_355_968_000_000_000
        let passed = min(now.milliseconds, (last - epoch) / 10_000) * 10_000
        let ticks = String(last - epoch - passed)
        let id = NotificationID(
            high: random.next() & ~0xF000 | 0x4000,
            low: 0x8000_0000_0000_0000 | random.next() >> 2
        )
        let hex = Array(id.text.utf8)
        var text = Array(repeating: UInt8(ascii: "0"), count: digits - ticks.utf8.count)
        text += ticks.utf8
        for (place, digit) in hex.enumerated() {
            if [8, 12, 16, 20].contains(place) { text.append(UInt8(ascii: "-")) }
            text.append(digit)
        }
        return JobID(unchecked: String(decoding: text, as: UTF8.self))
    }

    private init(unchecked text: String) { self.text = text }

    /// Reads an id; nil when the text is none.
    package init?(text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == Self.length else { return nil }
        for (place, byte) in bytes.enumerated() {
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            let isHex = isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            switch place - Self.digits {
            case ..<0: guard isDigit else { return nil }
            case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return nil }
            default: guard isHex else { return nil }
            }
        }
        self.text = text
    }

    package static func < (left: JobID, right: JobID) -> Bool { left.text < right.text }
}
