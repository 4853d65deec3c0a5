package import HubModel

/// Why a lane sends nothing, as metrics, `explain` and the event log name it.
package enum LaneCause: Error, Hashable, Sendable {
    /// The service wants less.
    case throttled(String)
    /// The service is not there.
    case unavailable(String)
    /// The credential is wrong.
    case credential(RelayOutcome, String)
    /// Most tokens are refused: they seem to be of another app or environment.
    case brake
    /// The store does not take the lane's mark.
    case store
}
