/// One TLS stream as a shard knows it; `slot` is dense and reused, `generation` tells owners apart.
package struct ConnectionID: Hashable, Sendable {
    /// Index into tables by connection.
    package var slot: UInt32
    /// Distinguishes successive owners of a slot.
    package var generation: UInt32

    /// Makes an id of its parts.
    package init(slot: UInt32, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }
}
