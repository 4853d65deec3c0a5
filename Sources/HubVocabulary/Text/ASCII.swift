/// ASCII rules over bytes: the only folding there is.
///
/// Generic functions here are inlinable. Called from another target it was not specialised: comparing
/// the names of headers took a fifth of the CPU of a request with many sends.
///
/// Source: rules C.4.
@usableFromInline package enum ASCII {
    /// `A`–`Z` become `a`–`z`; every other byte stays.
    @inlinable
    package static func lower(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }

    /// Every byte lowered.
    @inlinable
    package static func lower(_ bytes: some Sequence<UInt8>) -> [UInt8] { bytes.map(lower) }

    /// Equality without case.
    @inlinable
    package static func equal(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>)
        -> Bool
    {
        left.count == right.count && zip(left, right).allSatisfy { lower($0) == lower($1) }
    }

    /// Whether `bytes` begins with `prefix`, without case.
    @inlinable
    package static func hasPrefix(
        _ bytes: some Collection<UInt8>,
        _ prefix: some Collection<UInt8>
    ) -> Bool {
        bytes.count >= prefix.count && equal(bytes.prefix(prefix.count), prefix)
    }

    /// Blank, tab, line feed or carriage return.
    package static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// `0`–`9`.
    @inlinable
    package static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    /// Without blanks at both ends.
    package static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        var slice = bytes[...]
        while let first = slice.first, isBlank(first) { slice.removeFirst() }
        while let last = slice.last, isBlank(last) { slice.removeLast() }
        return Array(slice)
    }

    /// A decimal number of 1...20 digits; nil when it is none or does not fit.
    @inlinable
    package static func decimal(_ bytes: some Sequence<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        var digits = 0
        for byte in bytes {
            guard isDigit(byte), digits < 20 else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carried) = product.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
            guard !overflow, !carried else { return nil }
            value = sum
            digits += 1
        }
        return digits == 0 ? nil : value
    }
}
