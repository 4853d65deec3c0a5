package import HubVocabulary

/// A request that was answered, as its span tells it.
package struct TracedRequest: Sendable {
    /// The name of the operation.
    package var operation: String
    /// The status of the answer.
    package var status: Int
    /// The `TrackingId` of the answer.
    package var tracking: String
    /// The hub that it was about; nil for none.
    package var hub: HubName?

    /// Makes one.
    package init(operation: String, status: Int, tracking: String, hub: HubName?) {
        self.operation = operation
        self.status = status
        self.tracking = tracking
        self.hub = hub
    }
}
