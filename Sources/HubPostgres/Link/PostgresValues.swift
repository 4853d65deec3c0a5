/// Values of a command in PostgreSQL's binary format.
package struct PostgresValues: Sendable {
    /// Types whose arrays are sent, by their numbers in `pg_type`.
    private enum Element: UInt32 {
        case bytes = 17
        case int8 = 20
        case int2 = 21
    }

    /// One value behind the other.
    private(set) var bytes: [UInt8] = []
    /// Of each value; -1 for NULL.
    private(set) var lengths: [Int32] = []

    /// No values.
    package init() {}

    /// Adds a `bigint`.
    package mutating func append(_ value: Int64) { append(value, bits: 64) }

    /// Adds a `bigint` that holds a number of ours, all of whose values have 63 bits.
    package mutating func append(_ value: UInt64) { append(Int64(clamping: value), bits: 64) }

    /// Adds an `int`.
    package mutating func append(_ value: Int32) { append(Int64(value), bits: 32) }

    /// Adds a `bytea`.
    package mutating func append(_ value: [UInt8]) {
        bytes += value
        lengths.append(Int32(value.count))
    }

    /// Adds a `text`.
    package mutating func append(_ value: String) { append(Array(value.utf8)) }

    /// Adds a NULL of any type.
    package mutating func appendNull() { lengths.append(-1) }

    /// Adds an `int8[]`; nil for an element that is NULL.
    package mutating func append(_ values: [UInt64?]) {
        append(array: values, of: .int8) { Self.write(Int64(clamping: $0), bits: 64, to: &$1) }
    }

    /// Adds an `int8[]` of numbers that may have 64 bits, such as a time that never comes.
    package mutating func append(bits values: [UInt64]) {
        append(array: values, of: .int8) { Self.write(Int64(bitPattern: $0), bits: 64, to: &$1) }
    }

    /// Adds an `int2[]`.
    package mutating func append(_ values: [Int16]) {
        append(array: values, of: .int2) { Self.write(Int64($0), bits: 16, to: &$1) }
    }

    /// Adds a `bytea[]`.
    package mutating func append(_ values: [[UInt8]]) {
        append(array: values, of: .bytes) { $1 += $0 }
    }

    private mutating func append(_ value: Int64, bits: Int) {
        Self.write(value, bits: bits, to: &bytes)
        lengths.append(Int32(bits / 8))
    }

    /// Dimensions, whether there are NULLs, the type; length and lower bound; each element with its
    /// length.
    private mutating func append<Value>(
        array values: [Value?],
        of element: Element,
        write: (Value, inout [UInt8]) -> Void
    ) {
        let start = bytes.count
        let hasNull = values.contains { $0 == nil }
        Self.write(values.isEmpty ? 0 : 1, bits: 32, to: &bytes)
        Self.write(hasNull ? 1 : 0, bits: 32, to: &bytes)
        Self.write(Int64(element.rawValue), bits: 32, to: &bytes)
        if !values.isEmpty {
            Self.write(Int64(values.count), bits: 32, to: &bytes)
            Self.write(1, bits: 32, to: &bytes)
        }
        for value in values {
            let place = bytes.count
            Self.write(-1, bits: 32, to: &bytes)
            guard let value else { continue }
            write(value, &bytes)
            Self.set(Int64(bytes.count - place - 4), at: place, in: &bytes)
        }
        lengths.append(Int32(bytes.count - start))
    }

    private static func write(_ value: Int64, bits: Int, to bytes: inout [UInt8]) {
        for shift in stride(from: bits - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    private static func set(_ value: Int64, at place: Int, in bytes: inout [UInt8]) {
        for offset in 0..<4 {
            bytes[place + offset] = UInt8(truncatingIfNeeded: value >> (24 - 8 * offset))
        }
    }
}
