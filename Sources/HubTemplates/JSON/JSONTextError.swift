/// A `JSONFault` and where it is.
package struct JSONTextError: Error, Hashable, Sendable {
    /// Byte offset into the text.
    package var offset: Int
    /// The kind of mistake at that place.
    package var fault: JSONFault

    /// Makes an error.
    package init(offset: Int, fault: JSONFault) {
        self.offset = offset
        self.fault = fault
    }

    /// A sentence for the caller, with the position.
    package var reason: String { "\(fault.reason) (at byte \(offset))" }
}
