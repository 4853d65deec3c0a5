import HubModel
import HubVocabulary

/// The sizes of a hub's journal and chunks of cursors, and the journal's way into the chunks.
///
/// A checkpoint adds a row to the journal, and a journal that grew as large as all that is merged
/// goes into chunks, step by step, as in the files of a hub on one machine.
struct CursorTables {
    /// Bytes of cursors in the journal, without those of rows that this leader has merged.
    var journalBytes: Int
    /// Bytes of cursors in chunks.
    var chunkBytes: Int
    /// nil while the journal may grow.
    var merging: Merging?

    /// A journal on its way into chunks.
    struct Merging {
        var journal: JournalMerging
        /// Steps of merging that the hub has seen; a step that comes late finds another number.
        var step: UInt64
    }

    /// Takes the sums of both tables.
    init(_ sums: PostgresRows) throws(PostgresError) {
        journalBytes = Int(try sums.integer(0, 0))
        chunkBytes = Int(try sums.integer(0, 1))
    }
}

extension PostgresRows {
    /// Bytes with the checksum that stands behind them, which covers numbers too.
    func checked(
        _ row: Int,
        _ column: Int,
        of table: String,
        _ numbers: [UInt64]
    ) throws(PostgresError) -> [UInt8] {
        let bytes = try bytes(row, column)
        guard try number(row, column + 1) == Checksum.stored(bytes, numbers) else {
            throw .shape("damaged row \(numbers) of \(table)")
        }
        return bytes
    }
}

extension Checksum {
    /// The value that is stored beside bytes and numbers.
    static func stored(_ bytes: [UInt8], _ numbers: [UInt64]) -> UInt64 {
        var checksum = Checksum(numbers)
        checksum.append(bytes)
        return UInt64(checksum.value)
    }
}

/// Reads rows in a store's words.
func decoded<Value>(
    _ body: () throws(PostgresError) -> Value
) throws(StoreError) -> Value {
    do throws(PostgresError) { return try body() } catch { throw error.storeError }
}
