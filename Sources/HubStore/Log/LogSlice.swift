import HubVocabulary

/// One slice of the log as the threads share it.
struct LogSlice: Sendable {
    var row: SliceRow
    /// The end that it would have if it were sealed now.
    var end: SliceRow.End
    /// Bytes of its records; of the present slice only.
    var bytes = 0
    /// When its first group was accepted; nil while it has none.
    var began: Timestamp?
    /// nil once it is sealed.
    var file: SliceFile?
    /// Open connections of a sealed slice.
    var reader: FileReader?
    /// When a sealed slice was last read, as the count of all reads.
    var lastRead: UInt64 = 0
    /// Records by anchor; nil where the file's table is looked at instead.
    var lists: AnchorLists?
    /// Whether lists can be had neither from the file's table nor from its groups.
    var isWithoutLists = false

    /// A slice that is only read.
    init(sealed row: SliceRow) {
        self.row = row
        end = row.end ?? SliceRow.End(head: row.first - 1)
    }

    /// A slice that is written to.
    init(new row: SliceRow, file: SliceFile) {
        self.row = row
        self.file = file
        end = SliceRow.End(head: row.first - 1)
        lists = AnchorLists()
    }

    /// Counts a group that is in the file.
    mutating func take(_ batch: Batch) {
        var sequence = batch.first
        for entry in batch.headers.entries {
            lists?.append(sequence, anchors: entry.anchors)
            end.newestExpiry = max(end.newestExpiry, entry.expires)
            end.head = sequence
            sequence += 1
        }
        bytes += batch.bytes
        began = began ?? batch.time
        end.newestTime = max(end.newestTime, batch.time)
    }
}
