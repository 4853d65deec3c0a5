import CPostgres

/// The server's answer to one command, in libpq's memory.
@safe package final class PostgresRows {
    /// Owned; freed with the object.
    private let result: OpaquePointer
    /// Rows of the answer.
    package let count: Int
    /// Rows that the command inserted, changed or removed.
    package let changed: Int

    /// Takes over a result.
    init(owning result: OpaquePointer) {
        unsafe self.result = unsafe result
        // The result is alive until `deinit`, here and below.
        count = Int(unsafe belfry_postgres_result_rows(result))
        changed = Int(unsafe belfry_postgres_result_changed(result))
    }

    deinit { unsafe belfry_postgres_result_free(result) }

    /// Whether a value is NULL.
    package func isNull(_ row: Int, _ column: Int) throws(PostgresError) -> Bool {
        try length(row, column) == nil
    }

    /// An integer of any size, or a truth value as 0 or 1.
    package func integer(_ row: Int, _ column: Int) throws(PostgresError) -> Int64 {
        let bytes = try bytes(row, column)
        guard [1, 2, 4, 8].contains(bytes.count) else {
            throw .shape("\(bytes.count) bytes as a number in column \(column)")
        }
        let isNegative = bytes.count > 1 && bytes[0] >= 0x80
        return bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) }
    }

    /// A number of ours, which is never negative.
    package func number(_ row: Int, _ column: Int) throws(PostgresError) -> UInt64 {
        let value = try integer(row, column)
        guard value >= 0 else { throw .shape("\(value) in column \(column)") }
        return UInt64(value)
    }

    /// A `text`.
    package func text(_ row: Int, _ column: Int) throws(PostgresError) -> String {
        String(decoding: try bytes(row, column), as: UTF8.self)
    }

    /// A value's bytes.
    /// - Throws: `.shape` for NULL, and for a place that is not there.
    package func bytes(_ row: Int, _ column: Int) throws(PostgresError) -> [UInt8] {
        guard let count = try length(row, column) else { throw .shape("NULL in column \(column)") }
        // libpq holds `count` bytes there, as long as the result lives.
        let start = unsafe belfry_postgres_result_bytes(result, Int32(row), Int32(column))
        return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }

    /// Of a value; nil for NULL.
    private func length(_ row: Int, _ column: Int) throws(PostgresError) -> Int? {
        let columns = Int(unsafe belfry_postgres_result_columns(result))
        guard (0..<count).contains(row), (0..<columns).contains(column) else {
            throw .shape("no column \(column) in row \(row)")
        }
        let length = unsafe belfry_postgres_result_length(result, Int32(row), Int32(column))
        return length < 0 ? nil : Int(length)
    }
}
