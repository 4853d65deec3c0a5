public import HubWire

/// Sixteen bytes that name a notification on the link and, in hex, in the REST API.
public typealias NotificationIdentifier = ID16

extension ID16 {
    /// Lower-case text in the form of a UUID.
    public var uuidText: String {
        var text = ""
        for (index, digit) in (HexText.digits(high) + HexText.digits(low)).enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            text.append(digit)
        }
        return text
    }

    /// Reads text of 32 hexadecimal digits, with or without the dashes of a UUID.
    public init?(uuidText: String) {
        let digits = uuidText.utf8.filter { $0 != UInt8(ascii: "-") }
        guard let high: UInt64 = HexText.number(digits.prefix(16)),
            let low: UInt64 = HexText.number(digits.dropFirst(16))
        else { return nil }
        self.init(high: high, low: low)
    }
}
