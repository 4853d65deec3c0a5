/// Every number an ERROR or RESULT frame of version 1 can carry; gaps are reserved.
///
/// The high byte is the class: 0x01 protocol, 0x02 authentication, 0x03 limits, 0x04 request,
/// 0x05 hub, 0x06 session. A number that a peer does not know is treated by its class.
/// Source: Protocol [E-2].
public enum ErrorNumber: UInt16, CaseIterable, Sendable, Error {
    case badMagic = 0x0101
    case versionUnsupported = 0x0102
    case unknownType = 0x0103
    case unknownFlag = 0x0104
    case frameTooLarge = 0x0105
    case badLength = 0x0106
    case badField = 0x0107
    case wrongState = 0x0108
    case wrongDirection = 0x0109
    case badOption = 0x010A
    case badTags = 0x010B
    case badUTF8 = 0x010C
    case badAck = 0x010D
    case seqGap = 0x010E
    case duplicateRequest = 0x010F

    case authRequired = 0x0201
    case authFailed = 0x0202
    case authExpired = 0x0203
    case forbidden = 0x0204
    case unknownHub = 0x0205
    case deviceRevoked = 0x0206

    case rateLimited = 0x0301
    case tooManyRegistrations = 0x0302
    case tooManyTags = 0x0303
    case quota = 0x0304
    case pingTooFast = 0x0305
    case payloadTooLarge = 0x0306

    case notFound = 0x0401
    case etagMismatch = 0x0402
    case invalidTemplate = 0x0404
    case unsupported = 0x0406
    case invalidTag = 0x0407

    case internalError = 0x0501
    case unavailable = 0x0502
    case storage = 0x0503

    case takenOver = 0x0601
    case duplicateDevice = 0x0602
    case draining = 0x0603
    case idleTimeout = 0x0604
    case ackTimeout = 0x0605
    case handshakeTimeout = 0x0606
    case frameTimeout = 0x0607
}

extension ErrorNumber {
    /// Whether an ERROR frame with this number closes the connection unless its flag says no.
    ///
    /// A status in RESULT never closes. Source: Protocol [E-3].
    package var isFatal: Bool { Self.isFatal(code: rawValue) }

    /// The default for a number of any peer, known here or not: its class decides.
    ///
    /// An unknown class is fatal.
    package static func isFatal(code: UInt16) -> Bool {
        switch code >> 8 {
        case 0x03, 0x04, 0x05: false
        default: true
        }
    }

    /// The name that `Protocol/` and the vectors use.
    public var name: String {
        switch self {
        case .badMagic: "BAD_MAGIC"
        case .versionUnsupported: "VERSION_UNSUPPORTED"
        case .unknownType: "UNKNOWN_TYPE"
        case .unknownFlag: "UNKNOWN_FLAG"
        case .frameTooLarge: "FRAME_TOO_LARGE"
        case .badLength: "BAD_LENGTH"
        case .badField: "BAD_FIELD"
        case .wrongState: "WRONG_STATE"
        case .wrongDirection: "WRONG_DIRECTION"
        case .badOption: "BAD_OPTION"
        case .badTags: "BAD_TAGS"
        case .badUTF8: "BAD_UTF8"
        case .badAck: "BAD_ACK"
        case .seqGap: "SEQ_GAP"
        case .duplicateRequest: "DUPLICATE_REQUEST"
        case .authRequired: "AUTH_REQUIRED"
        case .authFailed: "AUTH_FAILED"
        case .authExpired: "AUTH_EXPIRED"
        case .forbidden: "FORBIDDEN"
        case .unknownHub: "UNKNOWN_HUB"
        case .deviceRevoked: "DEVICE_REVOKED"
        case .rateLimited: "RATE_LIMITED"
        case .tooManyRegistrations: "TOO_MANY_REGISTRATIONS"
        case .tooManyTags: "TOO_MANY_TAGS"
        case .quota: "QUOTA"
        case .pingTooFast: "PING_TOO_FAST"
        case .payloadTooLarge: "PAYLOAD_TOO_LARGE"
        case .notFound: "NOT_FOUND"
        case .etagMismatch: "ETAG_MISMATCH"
        case .invalidTemplate: "INVALID_TEMPLATE"
        case .unsupported: "UNSUPPORTED"
        case .invalidTag: "INVALID_TAG"
        case .internalError: "INTERNAL"
        case .unavailable: "UNAVAILABLE"
        case .storage: "STORAGE"
        case .takenOver: "TAKEN_OVER"
        case .duplicateDevice: "DUPLICATE_DEVICE"
        case .draining: "DRAINING"
        case .idleTimeout: "IDLE_TIMEOUT"
        case .ackTimeout: "ACK_TIMEOUT"
        case .handshakeTimeout: "HANDSHAKE_TIMEOUT"
        case .frameTimeout: "FRAME_TIMEOUT"
        }
    }
}
