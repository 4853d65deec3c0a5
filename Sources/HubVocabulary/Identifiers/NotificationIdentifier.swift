public import HubWire

/// Sixteen bytes that name a notification on the link and, in hex, in the REST API.
public typealias NotificationIdentifier = ID16

extension ID16 {
    /// Lower-case text in the form of a UUID.
    public var uuidText: String {
        let digits = Self.hexadecimal(high) + Self.hexadecimal(low)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            text.append(digit)
        }
        return text
    }

    /// Reads text of 32 hexadecimal digits, with or without the dashes of a UUID.
    public init?(uuidText: String) {
        let digits = uuidText.filter { $0 != "-" }
        guard digits.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
            let low = UInt64(digits.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }

    private static func hexadecimal(_ half: UInt64) -> String {
        let text = String(half, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}
