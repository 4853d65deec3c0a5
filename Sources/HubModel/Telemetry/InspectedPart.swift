/// One part of an answer about registrations or tags, and where the next one begins.
///
/// A part looks at `CoreLimits.inspection.inspectedPerPart` at most, so that no question holds up the hub's
/// writer; callers repeat it from where the part before ended. A write between two parts may or may
/// not be seen.
package struct InspectedPart<Found: Sendable>: Sendable {
    /// The finds of this part.
    package var found: Found
    /// For `from` of the next question; nil when it was the last part.
    package var next: UInt32?

    /// Makes a part.
    package init(_ found: Found, next: UInt32?) {
        self.found = found
        self.next = next
    }
}
