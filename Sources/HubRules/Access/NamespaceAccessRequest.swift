package import HubVocabulary

/// The parts of a request by which the rules decide whether it may administer the namespace.
package struct NamespaceAccessRequest: Sendable {
    /// The `Authorization` header as it stands; nil when absent.
    package var authorization: [UInt8]?
    /// The request's `Host` without port, or the server's first name.
    package var host: String
    /// The path as it stands in the request, still percent-encoded, without query.
    package var path: String
    /// The hub that it is about, whether it exists or not; nil for all.
    package var hub: HubName?
    /// The right the operation needs.
    package var right: AccessRight
    /// Whether a rule of the hub that it is about may do it too.
    package var isOpenToHub: Bool
    /// Whether it counts as a use of the key that signed it.
    package var isUse: Bool

    /// Makes a request.
    package init(
        authorization: [UInt8]?,
        host: String,
        path: String,
        hub: HubName?,
        right: AccessRight,
        isOpenToHub: Bool = false,
        isUse: Bool = true
    ) {
        self.authorization = authorization
        self.host = host
        self.path = path
        self.hub = hub
        self.right = right
        self.isOpenToHub = isOpenToHub
        self.isUse = isUse
    }
}
