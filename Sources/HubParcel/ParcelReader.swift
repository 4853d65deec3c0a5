/// A cursor over parcel bytes; every overrun is `ParcelError.badParcel`.
struct ParcelReader: ~Escapable {
    private let bytes: Span<UInt8>
    private(set) var offset = 0

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    var remaining: Int { bytes.count - offset }

    @_lifetime(self: copy self)
    mutating func readUInt8() throws(ParcelError) -> UInt8 {
        guard remaining >= 1 else { throw .badParcel }
        defer { offset += 1 }
        return bytes[offset]
    }

    @_lifetime(self: copy self)
    mutating func readUInt16() throws(ParcelError) -> UInt16 {
        UInt16(try readInteger(bytes: 2))
    }

    @_lifetime(self: copy self)
    mutating func readUInt32() throws(ParcelError) -> UInt32 {
        UInt32(try readInteger(bytes: 4))
    }

    @_lifetime(self: copy self)
    mutating func readUInt64() throws(ParcelError) -> UInt64 {
        try readInteger(bytes: 8)
    }

    /// The positions of the next `count` bytes, which are skipped.
    @_lifetime(self: copy self)
    mutating func readRange(_ count: Int) throws(ParcelError) -> Range<Int> {
        guard count <= remaining else { throw .badParcel }
        defer { offset += count }
        return offset..<offset + count
    }

    @_lifetime(self: copy self)
    private mutating func readInteger(bytes count: Int) throws(ParcelError) -> UInt64 {
        var value: UInt64 = 0
        for index in try readRange(count) { value = value << 8 | UInt64(bytes[index]) }
        return value
    }
}

extension Span where Element == UInt8 {
    /// A copy that outlives the borrow.
    func copied() -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(count)
        for index in indices { copy.append(self[index]) }
        return copy
    }

    /// Whether this is the content of a `str8`: UTF-8 without U+0000..U+001F and U+007F.
    var isPlainText: Bool {
        for index in indices where self[index] < 0x20 || self[index] == 0x7F { return false }
        // The error would say where the text is malformed, and a parcel is refused as a whole.
        return (try? UTF8Span(validating: self)) != nil
    }
}
