import HubVocabulary

/// Amounts and times as sentences have them.
enum DoctorText {
    /// `4,120`.
    static func count(_ number: Int) -> String {
        let digits = Array(String(number))
        var text = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place).isMultiple(of: 3), text != "-" { text += "," }
            text.append(digit)
        }
        return text
    }

    /// `3.1 GB`, in powers of ten.
    static func bytes(_ bytes: Int) -> String {
        for (unit, name) in [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")]
        where bytes >= unit {
            let tenths = bytes / (unit / 10)
            let isWhole = tenths >= 100 || tenths.isMultiple(of: 10)
            return (isWhole ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)") + " " + name
        }
        return "\(bytes) bytes"
    }

    /// `0640`.
    static func mode(_ mode: Int) -> String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// `2026-05-04 09:12`, in UTC.
    static func minute(_ time: Timestamp) -> String {
        let text = TimeText.iso8601(time)
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
    }

    /// `2026-05-04`.
    static func day(_ time: Timestamp) -> String { String(TimeText.iso8601(time).prefix(10)) }

    /// `1 day`, `12 days`.
    static func days(_ days: Int) -> String { days == 1 ? "1 day" : "\(count(days)) days" }

    /// Whole days from one time to another; 0 when it is not later.
    static func days(from: Timestamp, to: Timestamp) -> Int {
        Int(to.milliseconds - min(from.milliseconds, to.milliseconds)) / 86_400_000
    }
}
