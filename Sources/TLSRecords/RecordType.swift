/// The kind of a record's content; the numbers are the bytes behind the content.
///
/// Source: RFC 8446 §5.1.
package enum RecordType: UInt8, Sendable {
    case alert = 21
    case handshake = 22
    case applicationData = 23
}
