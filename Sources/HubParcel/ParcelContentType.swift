/// The form of the payload, as a hint for the app; the hub delivers the bytes unchanged.
package enum ParcelContentType: UInt8, CaseIterable, Sendable {
    /// Bytes only the app understands.
    case opaque = 0
    /// A JSON document.
    case json = 1
    /// UTF-8 text.
    case text = 2
    /// JSON with an `aps` member. (3 is reserved.)
    case appleJSON = 4
    /// JSON in the form of GCM or FCM.
    case firebaseJSON = 5
    /// An XML document.
    case xml = 6
}
