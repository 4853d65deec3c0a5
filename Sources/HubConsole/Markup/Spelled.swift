import HubModel
import HubVocabulary

/// How pages spell numbers, formats and targets; one form each.
enum Spelled {
    /// A number with commas: `12,304`.
    static func count(_ number: some BinaryInteger) -> String {
        let digits = Array(String(number))
        var text = ""
        for (index, digit) in digits.enumerated() {
            let left = digits.count - index
            if index > 0, left % 3 == 0, digits[index - 1] != "-" { text += "," }
            text.append(digit)
        }
        return text
    }

    /// Bytes in the largest unit that leaves a digit in front: `1.2 GB`.
    static func bytes(_ count: Int) -> String {
        var (tenths, unit) = (count * 10, 0)
        let units = ["B", "kB", "MB", "GB", "TB"]
        while tenths >= 10_000, unit < units.count - 1 {
            tenths /= 1_000
            unit += 1
        }
        guard unit > 0 else { return "\(self.count(count)) B" }
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }

    /// Seconds in the largest unit that fits: `3 d`, `5 h`, `40 s`.
    static func duration(seconds: UInt64) -> String {
        for (unit, name) in [(UInt64(86_400), "d"), (3_600, "h"), (60, "min")]
        where seconds >= 2 * unit || seconds == unit {
            return "\(seconds / unit) \(name)"
        }
        return "\(seconds) s"
    }

    /// How long ago something was.
    static func age(_ time: Timestamp, now: Timestamp) -> String {
        let past = now.milliseconds - min(now.milliseconds, time.milliseconds)
        return past < 1_000 ? "now" : "\(duration(seconds: past / 1_000)) ago"
    }

    /// The word of a format.
    static func format(_ format: NotificationFormat) -> String {
        switch format {
        case .template: "template"
        case .native(let platform): platform.format
        }
    }

    /// The id of a device.
    static func device(_ device: DeviceID) -> String {
        HexText.digits(device.high) + HexText.digits(device.low)
    }

    /// The beginning of a handle; nothing of a short one.
    static func handle(_ handle: [UInt8]) -> String {
        "\(String(decoding: handle.count >= 32 ? handle.prefix(8) : [], as: UTF8.self))…"
    }
}
