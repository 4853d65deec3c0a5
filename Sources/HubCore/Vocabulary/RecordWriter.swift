/// Appends the fields of a stored record; integers big-endian.
///
/// Lengths were limited when the values were accepted; a longer one is a defect of the caller and
/// traps instead of being cut.
struct RecordWriter {
    private(set) var bytes: [UInt8] = []

    init(format: UInt8, capacity: Int) {
        bytes.reserveCapacity(capacity)
        bytes.append(format)
    }

    mutating func integer(_ value: some FixedWidthInteger & UnsignedInteger) {
        bytes.appendBigEndian(value)
    }

    /// `u8 length | bytes`.
    mutating func short(_ value: some Collection<UInt8>) {
        integer(UInt8(value.count))
        bytes += value
    }

    /// `u16 length | bytes`.
    mutating func medium(_ value: some Collection<UInt8>) {
        integer(UInt16(value.count))
        bytes += value
    }

    /// `u32 length | bytes`.
    mutating func long(_ value: some Collection<UInt8>) {
        integer(UInt32(value.count))
        bytes += value
    }

    /// `u8 count | count x ( u16 length | name | u16 length | value )`.
    mutating func pairs(_ values: [NamedValue]) {
        integer(UInt8(values.count))
        for value in values {
            medium(value.name)
            medium(value.value)
        }
    }

    mutating func place(_ place: LogPlace) {
        integer(place.epoch)
        integer(place.sequence)
    }
}
