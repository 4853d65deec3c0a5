package import HubVocabulary

/// The extent of a hub's log.
package struct LogBounds: Hashable, Sendable {
    /// The present epoch; never 0.
    package var epoch: UInt64
    /// The lowest sequence number still held; 1 when nothing was trimmed.
    package var first: UInt64
    /// The highest sequence number; `first - 1` when the log is empty.
    package var head: UInt64
    /// Every epoch with its first sequence number, ascending.
    ///
    /// Source: rules B.2.
    package var epochs: [LogPlace]
    /// Records up to here were purged: they are not delivered any more, though some may still be
    /// held; 0 when nothing was.
    ///
    /// Source: rules B.6.
    package var purged: UInt64

    /// The last purged record that has left the log; 0 when the log holds each that was purged.
    package var purgedGone: UInt64 { min(purged, first - 1) }

    /// Makes bounds.
    package init(
        epoch: UInt64,
        first: UInt64,
        head: UInt64,
        epochs: [LogPlace],
        purged: UInt64 = 0
    ) {
        self.epoch = epoch
        self.first = first
        self.head = head
        self.epochs = epochs
        self.purged = purged
    }
}
