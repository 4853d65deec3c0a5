package import HubVocabulary

// Many sends of one request: records in their order, over as many groups as they need.

/// A notification that has its place in the log.
package struct AcceptedSend: Hashable, Sendable {
    /// Its id.
    package var id: NotificationID
    /// Its place.
    package var sequence: UInt64

    /// Makes one of its parts.
    package init(id: NotificationID, sequence: UInt64) {
        self.id = id
        self.sequence = sequence
    }
}
