import HubRelay
import HubVocabulary
import Logging

/// Tells operators of lanes; holds no secret, handle or payload.
enum RelayEvents {
    /// Logs what a lane says.
    static func report(_ news: RelayNews, of lane: LaneName, to logger: Logger) {
        let place: Logger.Metadata = ["hub": "\(lane.hub)", "platform": "\(lane.platform.format)"]
        switch news {
        case .resumes: logger.info("a relay sends again", metadata: place)
        case .malformed(let reason):
            logger.error(
                "a push service calls a request malformed",
                metadata: place.merging(["reason": "\(reason)"]) { $1 }
            )
        case .rests(let cause):
            let metadata = place.merging(["reason": "\(cause.sentence)"]) { $1 }
            switch cause {
            case .throttled: logger.info("a relay rests", metadata: metadata)
            case .unavailable, .store: logger.warning("a relay rests", metadata: metadata)
            case .credential, .brake: logger.error("a relay has stopped", metadata: metadata)
            }
        }
    }
}
