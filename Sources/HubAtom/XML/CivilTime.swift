package import HubVocabulary

/// A UTC date and time as headers and entries spell it.
///
/// Times past the year 9999 are its last millisecond.
package struct CivilTime {
    /// `2026-05-04T09:12:03.000Z`: three decimals, which every client reads.
    ///
    /// Source: REST §4.14.
    package let isoMilliseconds: String
    private let daysSince1970: UInt64

    /// How "never" is written.
    ///
    /// Source: REST §4.16.
    package static let never = CivilTime(Timestamp(milliseconds: .max))

    /// Spells a time.
    package init(_ time: Timestamp) {
        isoMilliseconds = TimeText.iso8601(time)
        daysSince1970 = time.milliseconds / 86_400_000
    }

    /// `2026-05-04T09:12:03Z`.
    package var iso: String { "\(isoMilliseconds.prefix(19))Z" }

    /// `5/4/2026 9:12:03 AM`, as details of errors carry it.
    ///
    /// Source: REST §2.5.
    package var american: String {
        let parts = isoMilliseconds.prefix(19).split { !$0.isNumber }
        let numbers = parts.map { Int($0) ?? 0 }
        let clock = numbers[3] % 12 == 0 ? 12 : numbers[3] % 12
        let half = numbers[3] < 12 ? "AM" : "PM"
        return "\(numbers[1])/\(numbers[2])/\(numbers[0]) \(clock):\(parts[4]):\(parts[5]) \(half)"
    }

    /// `Mon, 04 May 2026 09:12:03 GMT`, as HTTP has it.
    package var http: String {
        let parts = isoMilliseconds.prefix(19).split { !$0.isNumber }
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        // 1970 began on a Thursday.
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let weekday = weekdays[Int(daysSince1970 % 7)]
        let month = months[(Int(parts[1]) ?? 1) - 1]
        let clock = parts[3...5].joined(separator: ":")
        return "\(weekday), \(parts[2]) \(month) \(parts[0]) \(clock) GMT"
    }

    /// `05042026`, as names of feedback begin.
    ///
    /// Source: REST §12.
    package var monthFirst: String {
        let parts = isoMilliseconds.prefix(10).split { !$0.isNumber }
        return "\(parts[1])\(parts[2])\(parts[0])"
    }

    /// `20260504091203`, as notification ids carry it.
    ///
    /// Source: REST §8.1.
    package var compact: String {
        let digits = isoMilliseconds.utf8.prefix(19).filter { $0 >= 0x30 && $0 <= 0x39 }
        return String(decoding: digits, as: UTF8.self)
    }
}
