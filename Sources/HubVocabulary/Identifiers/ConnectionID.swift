/// Names one TLS stream of a shard or reactor for as long as it lives, and never another one.
package struct ConnectionID: Hashable, Sendable {
    /// Dense and reused after its end: an index into tables by connection.
    package let slot: UInt32
    /// Distinguishes successive owners of a slot.
    package let generation: UInt32

    /// Makes an id of its parts.
    package init(slot: UInt32, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }
}
