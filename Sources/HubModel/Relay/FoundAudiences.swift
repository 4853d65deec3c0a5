/// The audiences of some records, as far as one turn of the writer finds them.
package struct FoundAudiences: Equatable, Sendable {
    /// One for each of the first records, ascending by number; at least one.
    package var audiences: [[UInt32]]
    /// The number above which the last of them goes on; nil when it is whole.
    package var next: UInt32?

    /// Makes an answer of its parts.
    package init(_ audiences: [[UInt32]], next: UInt32? = nil) {
        self.audiences = audiences
        self.next = next
    }
}
