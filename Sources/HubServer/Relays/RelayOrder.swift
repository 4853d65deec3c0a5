import HubRelay
import HubVocabulary

/// An order to the thread of lanes.
enum RelayOrder: Sendable {
    /// A lane begins.
    case open(RelayLane)
    /// A lane's mail; that of an earlier one with its name goes nowhere.
    case mail(LaneAddress, RelayMail)
    /// A word of an operator to whichever lane has the name; the closure tells that none has.
    case word(LaneName, RelayMail, missing: @Sendable () -> Void)
    /// The same for every lane of a hub.
    case mailOfHub(HubName, RelayMail)
    /// A lane makes no more requests; its last report goes, and then the closure is called.
    case close(LaneName, @Sendable () -> Void)
}
