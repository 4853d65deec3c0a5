import HubCore

/// A UTC date and time as headers and entries spell it.
///
/// Times past the year 9999 are its last millisecond.
struct CivilTime {
    /// `2026-05-04T09:12:03.000Z`: three decimals, which every client reads.
    ///
    /// Source: REST §4.14.
    let isoMilliseconds: String

    /// How "never" is written.
    ///
    /// Source: REST §4.16.
    static let never = CivilTime(Timestamp(milliseconds: .max))

    /// Spells a time.
    init(_ time: Timestamp) { isoMilliseconds = TimeText.iso8601(time) }

    /// `2026-05-04T09:12:03Z`.
    var iso: String { "\(isoMilliseconds.prefix(19))Z" }

    /// `5/4/2026 9:12:03 AM`, as details of errors carry it.
    ///
    /// Source: REST §2.5.
    var american: String {
        let parts = isoMilliseconds.prefix(19).split { !$0.isNumber }
        let numbers = parts.map { Int($0) ?? 0 }
        let clock = numbers[3] % 12 == 0 ? 12 : numbers[3] % 12
        let half = numbers[3] < 12 ? "AM" : "PM"
        return "\(numbers[1])/\(numbers[2])/\(numbers[0]) \(clock):\(parts[4]):\(parts[5]) \(half)"
    }

    /// `20260504091203`, as notification ids carry it.
    ///
    /// Source: REST §8.1.
    var compact: String {
        let digits = isoMilliseconds.utf8.prefix(19).filter { $0 >= 0x30 && $0 <= 0x39 }
        return String(decoding: digits, as: UTF8.self)
    }
}
