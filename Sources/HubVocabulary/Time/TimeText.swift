/// The result of reading a time's text.
package enum TimeReading: Hashable, Sendable {
    /// Year 1: how .NET writes a date that was never set.
    case unset
    /// A time; what lies before 1970 is 1970.
    case time(Timestamp)
}

/// Times as clients write them, in UTC, without locale or calendar.
///
/// Source: REST reference §5.3, §8.5, §11.
///
///     2026-08-02T09:12:00Z    1 to 7 decimals or none; Z, +02:00, +0200, or no zone, which is UTC
///     2026-08-02T11:12+0200   without seconds
///     2026-08-02 09:12:00Z    with a blank
///     2026-05-06'T'18:30:00   with the quotes of a pattern left in
///     08/02/2026 09:12:00     month first, 24 hours
package enum TimeText {
    /// Reads a text in any of the formats; nil in another format, or when no such time exists.
    ///
    /// Blanks around it are ignored.
    package static func parse(_ text: Span<UInt8>) -> TimeReading? {
        var scanner = TimeScanner(text)
        guard let parts = scanner.parts() else { return nil }
        if parts.year == 1 { return .unset }
        let days = daysSince1970(year: parts.year, month: parts.month, day: parts.day)
        let minutes = (days * 24 + parts.hour) * 60 + parts.minute - parts.offsetMinutes
        let milliseconds = (minutes * 60 + parts.second) * 1_000 + parts.milliseconds
        return .time(Timestamp(milliseconds: UInt64(max(0, milliseconds))))
    }

    /// `yyyy-MM-ddTHH:mm:ss.fffZ`; times past the year 9999 are its last millisecond.
    ///
    /// The only shape that every client reads. Source: REST reference §4.14.
    package static func iso8601(_ time: Timestamp) -> String {
        let last: UInt64 = 253_402_300_799_999
        let milliseconds = Int(min(time.milliseconds, last))
        let (year, month, day) = date(daysSince1970: milliseconds / 86_400_000)
        let rest = milliseconds % 86_400_000
        var text: [UInt8] = []
        text.reserveCapacity(24)
        append(year, digits: 4, UInt8(ascii: "-"), to: &text)
        append(month, digits: 2, UInt8(ascii: "-"), to: &text)
        append(day, digits: 2, UInt8(ascii: "T"), to: &text)
        append(rest / 3_600_000, digits: 2, UInt8(ascii: ":"), to: &text)
        append(rest / 60_000 % 60, digits: 2, UInt8(ascii: ":"), to: &text)
        append(rest / 1_000 % 60, digits: 2, UInt8(ascii: "."), to: &text)
        append(rest % 1_000, digits: 3, UInt8(ascii: "Z"), to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends a number with so many digits, which it has at most, and what stands behind it.
    private static func append(_ number: Int, digits: Int, _ end: UInt8, to text: inout [UInt8]) {
        var unit = 1
        for _ in 1..<digits { unit *= 10 }
        while unit > 0 {
            text.append(UInt8(ascii: "0") + UInt8(number / unit % 10))
            unit /= 10
        }
        text.append(end)
    }

    /// Days of the proleptic Gregorian calendar, counted in eras of 400 years from 1 March.
    static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }

    /// The date of a day, also of one before 1970.
    package static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * part + 2) / 5 + 1)
    }

    /// How many days a month has.
    static func days(inMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// The fields of a time, each within its range.
private struct TimeParts {
    var year = 0
    var month = 0
    var day = 0
    var hour = 0
    var minute = 0
    var second = 0
    var milliseconds = 0
    var offsetMinutes = 0

    var exists: Bool {
        (1...9_999).contains(year) && (1...12).contains(month)
            && (1...TimeText.days(inMonth: month, year: year)).contains(day)
            && hour < 24 && minute < 60 && second < 60
    }
}

/// Reads the fields from left to right.
private struct TimeScanner: ~Escapable {
    private let text: Span<UInt8>
    private var position = 0
    private var end: Int

    @_lifetime(copy text)
    init(_ text: Span<UInt8>) {
        self.text = text
        end = text.count
        while end > 0, ASCII.isBlank(text[end - 1]) { end -= 1 }
        while position < end, ASCII.isBlank(text[position]) { position += 1 }
    }

    mutating func parts() -> TimeParts? {
        var parts = TimeParts()
        let monthFirst = position + 2 < end && text[position + 2] == UInt8(ascii: "/")
        guard monthFirst ? date(&parts) : isoDate(&parts) else { return nil }
        guard clock(&parts, secondsRequired: monthFirst), zone(&parts) else { return nil }
        return position == end && parts.exists ? parts : nil
    }

    /// `MM/dd/yyyy` and a blank.
    private mutating func date(_ parts: inout TimeParts) -> Bool {
        guard let month = number(2), take("/"), let day = number(2), take("/"),
            let year = number(4), take(" ")
        else { return false }
        (parts.year, parts.month, parts.day) = (year, month, day)
        return true
    }

    /// `yyyy-MM-dd` and `T`, `'T'` or a blank.
    private mutating func isoDate(_ parts: inout TimeParts) -> Bool {
        guard let year = number(4), take("-"), let month = number(2), take("-"),
            let day = number(2)
        else { return false }
        (parts.year, parts.month, parts.day) = (year, month, day)
        if take("'") { return take("T") && take("'") }
        return take("T") || take("t") || take(" ")
    }

    /// `HH:mm[:ss[.fffffff]]`.
    private mutating func clock(_ parts: inout TimeParts, secondsRequired: Bool) -> Bool {
        guard let hour = number(2), take(":"), let minute = number(2) else { return false }
        (parts.hour, parts.minute) = (hour, minute)
        guard take(":") else { return !secondsRequired }
        guard let second = number(2) else { return false }
        parts.second = second
        guard take(".") else { return true }
        var decimals = 0
        while decimals < 8, position < end, ASCII.isDigit(text[position]) {
            let digit = Int(text[position] - UInt8(ascii: "0"))
            if decimals < 3 { parts.milliseconds = parts.milliseconds * 10 + digit }
            decimals += 1
            position += 1
        }
        for _ in decimals..<max(3, decimals) { parts.milliseconds *= 10 }
        return (1...7).contains(decimals)
    }

    /// Nothing, `Z`, `+hh:mm` or `+hhmm`.
    private mutating func zone(_ parts: inout TimeParts) -> Bool {
        if position == end || take("Z") || take("z") { return true }
        let sign: Int
        if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return false }
        guard let hours = number(2) else { return false }
        _ = take(":")
        guard let minutes = number(2), hours < 24, minutes < 60 else { return false }
        parts.offsetMinutes = sign * (hours * 60 + minutes)
        return true
    }

    private mutating func number(_ digits: Int) -> Int? {
        guard end - position >= digits else { return nil }
        var value = 0
        for _ in 0..<digits {
            guard ASCII.isDigit(text[position]) else { return nil }
            value = value * 10 + Int(text[position] - UInt8(ascii: "0"))
            position += 1
        }
        return value
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < end, text[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }
}
