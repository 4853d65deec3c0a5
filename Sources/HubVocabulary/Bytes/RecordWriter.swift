/// Appends the fields of a stored record; integers big-endian.
///
/// Lengths were limited when the values were accepted; a longer one is a defect of the caller and
/// traps instead of being cut. Inlined across targets: every field of every record comes here.
@usableFromInline
package struct RecordWriter {
    @usableFromInline
    var written: [UInt8] = []

    /// The bytes so far.
    @inlinable
    package var bytes: [UInt8] { written }

    /// Has written nothing.
    package init(format: UInt8, capacity: Int) {
        written.reserveCapacity(capacity)
        written.append(format)
    }

    /// An integer, big-endian.
    @inlinable
    package mutating func integer(_ value: some FixedWidthInteger & UnsignedInteger) {
        written.appendBigEndian(value)
    }

    /// `u8 length | bytes`.
    @inlinable
    package mutating func short(_ value: some Collection<UInt8>) {
        integer(UInt8(value.count))
        written += value
    }

    /// `u16 length | bytes`.
    @inlinable
    package mutating func medium(_ value: some Collection<UInt8>) {
        integer(UInt16(value.count))
        written += value
    }

    /// `u32 length | bytes`.
    @inlinable
    package mutating func long(_ value: some Collection<UInt8>) {
        integer(UInt32(value.count))
        written += value
    }

    /// `u8 count | count x ( u16 length | name | u16 length | value )`.
    package mutating func pairs(_ values: [NamedValue]) {
        integer(UInt8(values.count))
        for value in values {
            medium(value.name)
            medium(value.value)
        }
    }

    /// A place of the log.
    package mutating func place(_ place: LogPlace) {
        integer(place.epoch)
        integer(place.sequence)
    }
}
