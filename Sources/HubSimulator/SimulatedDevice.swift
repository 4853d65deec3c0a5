import HubClient
import HubDelivery
import HubVocabulary
import HubWire

/// A device: the production session, a storage, and an app that looks closely.
final class SimulatedDevice {
    let number: Int
    var session: LinkSession
    var policy: ReconnectPolicy
    var stored = DeviceStorage()
    /// An older copy of the storage.
    var older: DeviceStorage?
    /// Its connection; nil while it is away.
    var link: Int?
    var departure: Departure?
    /// When it next has something to do: connect, or its session's deadline; nil for never.
    var due: UInt64?
    /// The time of an event in the queue that looks at `due`.
    var armed: UInt64?
    /// Switched off for good.
    var isRetired = false
    var isPaused = false
    var identity: DeviceID?
    /// The choice that each slot was last given.
    var templates = 0

    init(_ number: Int, session: consuming LinkSession, policy: ReconnectPolicy) {
        self.number = number
        self.session = session
        self.policy = policy
    }

    /// The identity that its session shows, stored or not.
    var sessionIdentity: DeviceID? {
        session.state.identity.map { DeviceID(high: $0.id.high, low: $0.id.low) }
    }
}
