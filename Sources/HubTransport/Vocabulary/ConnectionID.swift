/// Names one connection of one reactor for as long as it lives, and never another one.
package struct ConnectionID: Hashable, Sendable {
    /// Dense and reused after `closed`: an index for the handler's own tables.
    package let slot: UInt32
    /// Tells the connections that used one slot apart.
    package let generation: UInt32

    /// A name made of its parts, for tests and tables of other layers.
    package init(slot: UInt32, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }
}
