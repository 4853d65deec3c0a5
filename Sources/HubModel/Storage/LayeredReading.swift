/// A view of the log over another one, which answers whatever this one does not.
package protocol LayeredReading: MissedReading {
    /// The view below.
    var log: any MissedReading { get }
}

extension LayeredReading {
    /// As the view below.
    package var purgedGone: UInt64 { log.purgedGone }

    /// As the view below.
    package func check(at sequence: UInt64) throws(StoreError) -> UInt32? {
        try log.check(at: sequence)
    }

    /// As the view below.
    package func candidates(
        anchors: Set<AnchorKey>,
        after: UInt64,
        through: UInt64,
        limit: Int
    ) throws(StoreError) -> LogCandidates {
        try log.candidates(anchors: anchors, after: after, through: through, limit: limit)
    }

    /// As the view below.
    package func records(
        at sequences: ArraySlice<UInt64>,
        bytesMax: Int
    ) throws(StoreError) -> [NotificationRecord] {
        try log.records(at: sequences, bytesMax: bytesMax)
    }

    /// As the view below.
    package func headers(at sequences: ArraySlice<UInt64>) throws(StoreError) -> [RecordHeader] {
        try log.headers(at: sequences)
    }
}
