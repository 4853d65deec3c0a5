import HubVocabulary

/// Bytes on their way in one direction of a connection, or its end.
struct Segment {
    var bytes: [UInt8]
    /// When they were written, in microseconds of the simulation.
    var sent: UInt64
    /// The hub's wall clock then.
    var wall: Timestamp
    var isEnd: Bool
}
