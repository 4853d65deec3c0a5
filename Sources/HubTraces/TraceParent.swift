import HubVocabulary

/// The caller's part of a trace: the header `traceparent`.
///
/// Source: W3C Trace Context §3.2.
struct TraceParent: Equatable {
    let high: UInt64
    let low: UInt64
    let span: UInt64
    /// Whether the caller traces its part.
    let isSampled: Bool

    /// Reads `00-<32 digits>-<16 digits>-<2 digits>`, and later versions that begin so; nil for
    /// anything else.
    init?(_ header: [UInt8]) {
        let dash = UInt8(ascii: "-")
        let parts = header.split(separator: dash, omittingEmptySubsequences: false)
        guard parts.count >= 4, !header.contains(where: Self.isUpper),
            let version: UInt8 = HexText.number(parts[0]), version != .max,
            version > 0 || parts.count == 4, parts[1].count == 32,
            let high: UInt64 = HexText.number(parts[1].prefix(16)),
            let low: UInt64 = HexText.number(parts[1].suffix(16)), high | low != 0,
            let span: UInt64 = HexText.number(parts[2]), span != 0,
            let flags: UInt8 = HexText.number(parts[3])
        else { return nil }
        self.high = high
        self.low = low
        self.span = span
        isSampled = flags & 1 == 1
    }

    private static func isUpper(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
}
