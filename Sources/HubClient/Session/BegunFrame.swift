import HubVocabulary

/// The first bytes of a frame that has not come completely, and when the rest must be there.
enum BegunFrame {
    case none
    case some([UInt8], due: Instant)

    /// The bytes of a frame that are there; none without a byte.
    init(_ bytes: [UInt8], due: Instant) {
        self = bytes.isEmpty ? .none : .some(bytes, due: due)
    }

    var bytes: [UInt8] {
        switch self {
        case .none: []
        case .some(let bytes, _): bytes
        }
    }

    var due: Instant? {
        switch self {
        case .none: nil
        case .some(_, let due): due
        }
    }
}
