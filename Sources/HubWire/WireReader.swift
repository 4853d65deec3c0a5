/// Reads the fields of one body in order; the first violation ends it.
///
/// Every length is compared with its limit, then with the bytes that are left, before it is used.
struct WireReader: ~Escapable {
    private let bytes: Span<UInt8>
    private let type: FrameType
    private(set) var position = 0

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, of type: FrameType) {
        self.bytes = bytes
        self.type = type
    }

    var remaining: Int { bytes.count - position }

    func failure(_ number: ErrorNumber, limit: Int = 0) -> WireError {
        WireError(number, about: type, limit: limit)
    }

    /// Throws BAD_FIELD unless the condition holds.
    func require(_ condition: Bool, limit: Int = 0) throws(WireError) {
        guard condition else { throw failure(.badField, limit: limit) }
    }

    mutating func u8() throws(WireError) -> UInt8 {
        guard remaining >= 1 else { throw failure(.badLength) }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func u16() throws(WireError) -> UInt16 {
        UInt16(truncatingIfNeeded: try integer(byteCount: 2))
    }

    mutating func u24() throws(WireError) -> Int {
        Int(truncatingIfNeeded: try integer(byteCount: 3))
    }

    mutating func u32() throws(WireError) -> UInt32 {
        UInt32(truncatingIfNeeded: try integer(byteCount: 4))
    }

    mutating func u64() throws(WireError) -> UInt64 { try integer(byteCount: 8) }

    mutating func id16() throws(WireError) -> ID16 {
        let high = try u64()
        return ID16(high: high, low: try u64())
    }

    /// Bytes that must all be zero.
    mutating func zero(_ count: Int) throws(WireError) {
        for _ in 0..<count {
            let byte = try u8()
            try require(byte == 0)
        }
    }

    /// Passes over `count` bytes and says where they lie.
    mutating func run(_ count: Int) throws(WireError) -> Range<Int> {
        guard count <= remaining else { throw failure(.badLength) }
        defer { position += count }
        return position..<(position + count)
    }

    /// `bytes8`: u8 length, then bytes.
    mutating func bytes8(max: Int) throws(WireError) -> Range<Int> {
        let length = Int(try u8())
        try require(length <= max, limit: max)
        return try run(length)
    }

    /// `bytes16`: u16 length, then bytes.
    mutating func bytes16(max: Int) throws(WireError) -> Range<Int> {
        let length = Int(try u16())
        try require(length <= max, limit: max)
        return try run(length)
    }

    /// `str8`: `bytes8` that holds text.
    mutating func str8(max: Int) throws(WireError) -> Range<Int> {
        let range = try bytes8(max: max)
        guard TextRule.accepts(bytes.extracting(range)) else { throw failure(.badUTF8) }
        return range
    }

    /// The text of a `str8`.
    mutating func text8(max: Int) throws(WireError) -> String {
        let range = try str8(max: max)
        return String(copying: bytes.extracting(range))
    }

    /// Copies the bytes at a range that was passed over.
    func copy(_ range: Range<Int>) -> [UInt8] { [UInt8](copying: bytes.extracting(range)) }

    /// Ends the body: options where the header announces them, otherwise nothing may be left.
    mutating func finish(_ header: FrameHeader) throws(WireError) {
        guard header.hasOptions else {
            guard remaining == 0 else { throw failure(.badLength) }
            return
        }
        guard remaining > 0 else { throw failure(.badOption) }
        guard remaining <= WireLimits.optionsBytesMax else {
            throw failure(.badOption, limit: WireLimits.optionsBytesMax)
        }
        var previous = -1
        while remaining > 0 {
            let id = Int(try u8())
            let length = Int(try u16())
            // Version 1 knows no option, so each must be one that may be ignored.
            guard id > previous, id >= 0x80 else { throw failure(.badOption) }
            previous = id
            _ = try run(length)
        }
    }

    private mutating func integer(byteCount: Int) throws(WireError) -> UInt64 {
        guard remaining >= byteCount else { throw failure(.badLength) }
        var value: UInt64 = 0
        for offset in 0..<byteCount { value = value << 8 | UInt64(bytes[position + offset]) }
        position += byteCount
        return value
    }
}

extension Span<UInt8> {
    /// An integer of at most seven bytes.
    func bigEndian(at index: Int, byteCount: Int) -> Int {
        var value = 0
        for offset in 0..<byteCount { value = value << 8 | Int(self[index + offset]) }
        return value
    }
}
