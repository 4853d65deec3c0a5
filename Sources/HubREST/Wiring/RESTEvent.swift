package import HubModel
package import HubVocabulary

/// One answered request, without anything a log must not hold.
package struct RESTEvent: Sendable {
    /// The operation of a path or method that leads nowhere.
    package static let unknown = "unknown"

    /// The name of a row of `RouteTable`, or `unknown`.
    package var operation: String
    /// The HTTP status.
    package var status: Int
    /// The sub code of a refusal; 0 for a success.
    ///
    /// Source: REST §2.5.
    package var subCode: Int
    /// The `TrackingId` of the answer.
    package var trackingID: String
    /// The hub that it was about; nil for none, and for one that its caller may not know.
    package var hub: HubName?
    /// The access rule that signed its token; nil before the token was checked.
    package var rule: String?
    /// Whether it changed something that administrators decide.
    package var isAdministrative = false
    /// The address of such a change, without its version; a long value, as of a push handle, is cut.
    package var subject = ""
    /// How it is traced; nil when it is not.
    package var trace: RequestTrace?
    /// From its head to its answer.
    package var duration = Duration.zero

    /// An event of a request that was answered before it was looked at.
    init(operation: String = Self.unknown, status: Int = 0, subCode: Int = 0, trackingID: String) {
        self.operation = operation
        self.status = status
        self.subCode = subCode
        self.trackingID = trackingID
    }
}
