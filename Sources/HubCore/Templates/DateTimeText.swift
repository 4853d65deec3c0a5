/// Date and time texts, as clients send them.
///
/// Source: REST reference §5.3, §8.5.
package enum DateTimeText {
    /// Seconds since 1970 of a date and time in any accepted form; nil for anything else.
    ///
    ///     yyyy-MM-ddTHH:mm[:ss[.f]][zone]   T or a space; zone Z, +hh:mm or +hhmm; without, UTC
    ///     MM/dd/yyyy HH:mm:ss               UTC, 24 hours
    ///
    /// Blanks around it are skipped; fractions (1 to 9 digits) are dropped.
    package static func unixSeconds(_ text: [UInt8]) -> Int64? {
        var reader = DigitReader(ASCII.trimmed(text))
        let isAmerican = reader.byte(at: 2) == UInt8(ascii: "/")
        return isAmerican ? reader.americanSeconds() : reader.isoSeconds()
    }

    /// Days from 1970-01-01 to a date of the Gregorian calendar.
    fileprivate static func days(year: Int, month: Int, day: Int) -> Int64? {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...12).contains(month), year >= 1, (1...lengths[month - 1]).contains(day)
        else { return nil }
        // Years since 0000-03-01, so that the leap day is the last of its year.
        let shifted = month > 2 ? year : year - 1
        let era = shifted / 400
        let yearOfEra = shifted % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int64(era * 146_097 + dayOfEra - 719_468)
    }
}

/// Reads fixed runs of digits.
private struct DigitReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    mutating func isoSeconds() -> Int64? {
        guard let year = number(4), take("-"), let month = number(2), take("-"),
            let day = number(2), take("T") || take("t") || take(" "),
            let date = DateTimeText.days(year: year, month: month, day: day),
            let time = timeOfDay(needsSeconds: false), let zone = zone(), position == bytes.count
        else { return nil }
        return date * 86_400 + time - zone
    }

    mutating func americanSeconds() -> Int64? {
        guard let month = number(2), take("/"), let day = number(2), take("/"),
            let year = number(4), take(" "),
            let date = DateTimeText.days(year: year, month: month, day: day),
            let time = timeOfDay(needsSeconds: true), position == bytes.count
        else { return nil }
        return date * 86_400 + time
    }

    private mutating func timeOfDay(needsSeconds: Bool) -> Int64? {
        guard let hour = number(2), hour < 24, take(":"), let minute = number(2), minute < 60
        else { return nil }
        var seconds = Int64(hour * 3_600 + minute * 60)
        guard take(":") else { return needsSeconds ? nil : seconds }
        guard let second = number(2), second < 60 else { return nil }
        seconds += Int64(second)
        if !needsSeconds, take(".") {
            let start = position
            while let byte = byte(at: position), ASCII.isDigit(byte) { position += 1 }
            guard (1...9).contains(position - start) else { return nil }
        }
        return seconds
    }

    /// Seconds east of UTC; 0 without a zone.
    private mutating func zone() -> Int64? {
        if position == bytes.count || take("Z") || take("z") { return 0 }
        let isEast = take("+")
        guard isEast || take("-"), let hours = number(2), hours < 24 else { return nil }
        _ = take(":")
        guard let minutes = number(2), minutes < 60 else { return nil }
        let offset = Int64(hours * 3_600 + minutes * 60)
        return isEast ? offset : -offset
    }

    private mutating func number(_ digits: Int) -> Int? {
        guard position + digits <= bytes.count else { return nil }
        var number = 0
        for byte in bytes[position..<position + digits] {
            guard ASCII.isDigit(byte) else { return nil }
            number = number * 10 + Int(byte - 0x30)
        }
        position += digits
        return number
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard byte(at: position) == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }
}
