package import HubModel

/// How a notification for one registration ended in a lane.
package enum LaneEnd: Hashable, Sendable {
    /// As the service said, or would have said.
    case service(RelayOutcome)
    /// Its time was over before it was sent.
    case expired
    /// It was now or never, and the lane could not send it then.
    case missed
    /// A newer one with the same collapse key took its place.
    case collapsed
    /// An administrator removed it.
    case purged
    /// The registration was gone before it was sent.
    case absent
    /// Its attempts were used up.
    case gaveUp(RelayOutcome)

    /// Orders ends in a checkpoint, so that equal runs write equal bytes.
    var order: Int {
        switch self {
        case .service(let outcome): Int(outcome.rawValue)
        case .expired: 256
        case .missed: 257
        case .collapsed: 258
        case .purged: 259
        case .absent: 260
        case .gaveUp(let outcome): 512 + Int(outcome.rawValue)
        }
    }
}
