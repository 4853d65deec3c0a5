/// The row of a session among those of its hub on one shard, in four bytes.
struct SessionIndex: Equatable {
    private let raw: Int32

    /// Names a row.
    init(row: Int) { raw = Int32(row) }

    /// The row.
    var row: Int { Int(raw) }
}
