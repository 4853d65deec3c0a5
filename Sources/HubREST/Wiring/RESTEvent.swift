/// One answered request, without anything a log must not hold.
package struct RESTEvent: Hashable, Sendable {
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
}
