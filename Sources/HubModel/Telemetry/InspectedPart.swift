/// One part of an answer, and where the next one begins; nil when it was the last.
package struct InspectedPart: Sendable {
    /// The findings of this part.
    package var found: Inspected
    /// For `from` of the next question.
    package var next: UInt32?

    /// Makes a part.
    package init(found: Inspected, next: UInt32?) {
        self.found = found
        self.next = next
    }
}
