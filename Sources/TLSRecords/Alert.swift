/// The alerts that this end sends to a peer.
///
/// Source: RFC 8446 §6.
package enum Alert: UInt8, Sendable, CaseIterable {
    case closeNotify = 0
    case unexpectedMessage = 10
    case badRecordMAC = 20
    case recordOverflow = 22
    case illegalParameter = 47
    case decodeError = 50
    case protocolVersion = 70
    case internalError = 80

    /// The first byte of the alert: a warning or fatal.
    package var level: UInt8 { self == .closeNotify ? 1 : 2 }
}
