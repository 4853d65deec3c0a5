import HubVocabulary

/// The bytes in front of a group's records.
struct RecordsFront {
    let count: UInt32
    let checkBelow: UInt32
    let check: UInt32

    /// Reads behind the format.
    init(from reader: inout RecordReader) throws(RecordProblem) {
        count = try reader.integer()
        checkBelow = try reader.integer()
        check = try reader.integer()
    }
}
