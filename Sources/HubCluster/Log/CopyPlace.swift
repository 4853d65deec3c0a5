/// How far a node's copy of a hub has come; its two parts are separate.
package struct CopyPlace: Hashable, Sendable {
    /// The last group whose changes it has; some behind may have none.
    package var feed: UInt64
    /// The last record that it has.
    package var head: UInt64
    /// The check value there.
    package var headCheck: UInt32
    /// The last group with changes that it knows; 0 for none.
    package var lastChange: UInt64

    /// Names a place.
    package init(feed: UInt64, head: UInt64, headCheck: UInt32, lastChange: UInt64 = 0) {
        self.feed = feed
        self.head = head
        self.headCheck = headCheck
        self.lastChange = lastChange
    }
}
