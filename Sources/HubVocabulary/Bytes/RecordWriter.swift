/// Appends the fields of a stored record; integers big-endian.
///
/// Lengths were limited when the values were accepted; a longer one is a defect of the caller and
/// traps instead of being cut.
package struct RecordWriter {
    /// The bytes so far.
    package private(set) var bytes: [UInt8] = []

    /// Has written nothing.
    package init(format: UInt8, capacity: Int) {
        bytes.reserveCapacity(capacity)
        bytes.append(format)
    }

    /// An integer, big-endian.
    package mutating func integer(_ value: some FixedWidthInteger & UnsignedInteger) {
        bytes.appendBigEndian(value)
    }

    /// `u8 length | bytes`.
    package mutating func short(_ value: some Collection<UInt8>) {
        integer(UInt8(value.count))
        bytes += value
    }

    /// `u16 length | bytes`.
    package mutating func medium(_ value: some Collection<UInt8>) {
        integer(UInt16(value.count))
        bytes += value
    }

    /// `u32 length | bytes`.
    package mutating func long(_ value: some Collection<UInt8>) {
        integer(UInt32(value.count))
        bytes += value
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
