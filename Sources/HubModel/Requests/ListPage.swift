/// A page of a list, and where the next one begins.
package struct ListPage<Entry: Sendable, Place: Sendable>: Sendable {
    /// The finds, in the order of the list.
    package var entries: [Entry]
    /// For the next question; nil when there are no more.
    package var next: Place?

    /// Makes a page.
    package init(_ entries: [Entry], next: Place?) {
        self.entries = entries
        self.next = next
    }
}
