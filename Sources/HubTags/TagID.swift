/// A tag as one ``TagIndex`` knows it; meaningless in any other index.
///
/// An id is used again for another tag once its tag has neither a registration nor a pin; see
/// ``TagIndex/intern(_:)`` for how long an id is good.
package struct TagID: Hashable, Sendable {
    /// The number of the tag in its index, from 0.
    package var raw: UInt32

    /// Names the tag with this number.
    package init(raw: UInt32) {
        self.raw = raw
    }
}
