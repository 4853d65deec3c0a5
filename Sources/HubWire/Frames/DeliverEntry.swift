/// One entry of DELIVER: what belongs to this device, and where the shared parcel lies.
package struct DeliverEntry: Equatable, Sendable {
    /// Sequence number; nil for a transient entry, which has no place in the log.
    package let seq: UInt64?
    /// Distance to the entry before it, or to `prevSeq`.
    package let seqDelta: UInt32
    /// The registration that it is for.
    package let slot: UInt16
    /// Bits of `DeliverFlag`.
    package let eflags: UInt8
    /// Where the parcel lies in the body, for `DeliverFrame.parcel`.
    package let parcel: Range<Int>

    /// May have been sent on an earlier connection.
    package var isRedelivered: Bool { eflags & DeliverFlag.redelivered != 0 }
    /// Has no place in the log.
    package var isTransient: Bool { eflags & DeliverFlag.transient != 0 }
    /// Another entry of the same sequence number follows, here or in the next frame.
    package var continues: Bool { eflags & DeliverFlag.continues != 0 }
}
