import HubVocabulary

/// A row of a shard's table of connections.
struct ConnectionSlot: Equatable {
    private let raw: UInt32

    /// The slot of a connection, which may be another one's by now.
    init(_ id: ConnectionID) { raw = id.slot }

    /// Names a row.
    init(row: Int) { raw = UInt32(row) }

    /// The row.
    var row: Int { Int(raw) }
}
