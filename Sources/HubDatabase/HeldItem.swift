/// Work for a thread, and its caller when that is held.
package struct HeldItem<Item: Sendable>: Sendable {
    private let item: Item
    private let call: HeldCall?

    /// Joins both.
    package init(_ item: Item, _ call: HeldCall? = nil) {
        self.item = item
        self.call = call
    }

    /// Returns the work for the thread that begins with it; nil when its caller was refused
    /// meanwhile.
    package func begin() -> Item? { call?.begin() == false ? nil : item }
}
