/// The namespaces of the documents that clients of the API read.
///
/// Source: REST §4.12, §12.
package enum XMLNamespace {
    /// That of entries and feeds.
    package static let atom = "http://www.w3.org/2005/Atom"
    /// That of what entries hold.
    package static let connect =
        "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"
    /// That of types and nil.
    static let instance = "http://www.w3.org/2001/XMLSchema-instance"
}
