/// Reads the fields of a stored record, each checked against what is left.
///
/// Each width of integers has a function of its own: other targets get no code of a generic one that
/// is made for a type, and a stored registration has twenty.
package struct RecordReader: ~Escapable {
    private let bytes: Span<UInt8>
    private var position = 0

    /// Reads from the beginning.
    @_lifetime(copy bytes)
    package init(_ bytes: Span<UInt8>, format: UInt8) throws(RecordProblem) {
        self.bytes = bytes
        guard !bytes.isEmpty else { throw .truncated(at: 0) }
        guard bytes[0] == format else { throw .unknownFormat(bytes[0]) }
        position = 1
    }

    /// Reads a part of a record.
    @_lifetime(copy bytes)
    package init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    /// A byte.
    package mutating func integer(
        _ type: UInt8.Type = UInt8.self
    ) throws(RecordProblem) -> UInt8 {
        let place = try run(1).lowerBound
        return bytes[place]
    }

    /// An integer of two bytes, big-endian.
    package mutating func integer(
        _ type: UInt16.Type = UInt16.self
    ) throws(RecordProblem) -> UInt16 {
        UInt16(truncatingIfNeeded: try number(of: 2))
    }

    /// An integer of four bytes, big-endian.
    package mutating func integer(
        _ type: UInt32.Type = UInt32.self
    ) throws(RecordProblem) -> UInt32 {
        UInt32(truncatingIfNeeded: try number(of: 4))
    }

    /// An integer of eight bytes, big-endian.
    package mutating func integer(
        _ type: UInt64.Type = UInt64.self
    ) throws(RecordProblem) -> UInt64 {
        try number(of: 8)
    }

    private mutating func number(of count: Int) throws(RecordProblem) -> UInt64 {
        var value: UInt64 = 0
        for index in try run(count) { value = value << 8 | UInt64(bytes[index]) }
        return value
    }

    /// Bytes behind one byte of length.
    package mutating func short() throws(RecordProblem) -> [UInt8] {
        bytes.bytes(in: try run(Int(try integer(UInt8.self))))
    }

    /// Bytes behind two bytes of length.
    package mutating func medium() throws(RecordProblem) -> [UInt8] {
        bytes.bytes(in: try run(Int(try integer(UInt16.self))))
    }

    /// Bytes behind four bytes of length.
    package mutating func long() throws(RecordProblem) -> [UInt8] {
        bytes.bytes(in: try run(Int(try integer(UInt32.self))))
    }

    /// Where the bytes of a `short` stand.
    package mutating func shortRange() throws(RecordProblem) -> Range<Int> {
        try run(Int(try integer(UInt8.self)))
    }

    /// Where the bytes of a `medium` stand.
    package mutating func mediumRange() throws(RecordProblem) -> Range<Int> {
        try run(Int(try integer(UInt16.self)))
    }

    /// Where so many `short` stand, one behind the other.
    package mutating func shortRanges(count: Int) throws(RecordProblem) -> Range<Int> {
        let start = position
        for _ in 0..<count { _ = try shortRange() }
        return start..<position
    }

    /// Reads over `pairs`; the place behind them.
    package mutating func passPairs() throws(RecordProblem) -> Int {
        for _ in 0..<(try integer(UInt8.self)) {
            _ = try mediumRange()
            _ = try mediumRange()
        }
        return position
    }

    /// Named values behind their count.
    package mutating func pairs() throws(RecordProblem) -> [NamedValue] {
        var values: [NamedValue] = []
        for _ in 0..<(try integer(UInt8.self)) {
            let name = try medium()
            values.append(NamedValue(name: name, value: try medium()))
        }
        return values
    }

    /// A place of the log.
    package mutating func place() throws(RecordProblem) -> LogPlace {
        let epoch = try integer(UInt64.self)
        return LogPlace(epoch: epoch, sequence: try integer())
    }

    /// Refuses what is left over.
    package func expectEnd() throws(RecordProblem) {
        guard position == bytes.count else { throw .trailingBytes(at: position) }
    }

    /// Passes over `count` bytes; nothing is allocated before they are known to be there.
    private mutating func run(_ count: Int) throws(RecordProblem) -> Range<Int> {
        guard count <= bytes.count - position else { throw .truncated(at: position) }
        let start = position
        position += count
        return start..<position
    }
}
