/// The namespaces of the documents that clients of the API read.
///
/// Source: REST §4.12, §12.
enum XMLNamespace {
    static let atom = "http://www.w3.org/2005/Atom"
    static let connect = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"
    static let instance = "http://www.w3.org/2001/XMLSchema-instance"
}
