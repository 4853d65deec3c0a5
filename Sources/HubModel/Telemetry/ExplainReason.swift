package import HubVocabulary

/// Why a registration did or did not get a notification.
package enum ExplainReason: Hashable, Sendable {
    /// No such notification, or it is no longer kept.
    case unknownNotification
    /// No such registration.
    case unknownRegistration
    /// No such installation, or it stands for no registration.
    case unknownInstallation
    /// The device has no registration that was, or is, known.
    case unknownDevice
    /// No device of this hub has the registration's handle.
    case unknownHandle
    /// It waits for the lane to the platform's service, which rests for this reason; nil while it
    /// sends.
    case relayWaiting(String?)
    /// The device asked its service for a pause: it is tried again then.
    case relayDeferred(until: Timestamp)
    /// The service took it.
    case relayed
    /// The service took it, or it had expired, been replaced, purged or given up; both happened.
    case relayedOrDropped
    /// It was not given to the service, or refused there: Azure's word, the reason, and when.
    case relayRefused(RelayOutcome, String, Timestamp)
    /// The registration came to be behind the notification.
    case notRegisteredThen(since: UInt64)
    /// The registration was deleted before it was delivered there.
    case deleted
    /// The notification is for another platform or kind.
    case formatDiffers(wanted: NotificationFormat, has: NotificationFormat, of: Platform)
    /// The notification names handles, and not this device's.
    case notNamed
    /// The tag expression is false for the tags of then; this part of it fails first.
    case tagsDiffer(part: [UInt8])
    /// The hub has forgotten the tags of then: too many changes since.
    case historyCut
    /// The template no longer compiles.
    case templateError
    /// The rendered payload is over the limit.
    case invalidSize(bytes: Int, limit: Int)
    /// Time to live 0: live sessions had it at once, and no session that came later gets it.
    case transient
    /// Its time was over before it could be delivered.
    case expired(Timestamp)
    /// The device's position is past it: it was stored, or it had expired when the device came; both
    /// happened on this platform.
    case passed(Timestamp)
    /// A later notification with its collapse key replaced it, or will, before it is sent.
    case collapsed(by: NotificationName)
    /// The device's position is past it: it was stored, or a later one replaced it; both happened on
    /// this platform.
    case collapsedOrStored(by: NotificationName)
    /// More waited than is kept for one device, so it was cut.
    case overCap
    /// The device's position is past it: it was stored, or cut; both happened on this platform.
    case overCapOrStored
    /// An operator purged it.
    case purged
    /// The device's position is past it: it was stored, or purged; both happened on this platform.
    case purgedOrStored
    /// The device's position is past it: it was stored, or skipped, since tags of then of one of the
    /// device's registrations are forgotten.
    case historyCutOrStored
    /// It waits for the device, which is away since then.
    case waiting(offlineSince: Timestamp?)
    /// The device is connected and has not acknowledged it yet.
    case pending
    /// It was sent; the connection ended before the device acknowledged it, so it comes again.
    case sentUnacknowledged(offlineSince: Timestamp?)
    /// The device has stored it; it said so at the latest when it was last seen.
    case acknowledged(lastSeen: Timestamp)

    /// The reason's name as data.
    package var word: String {
        switch self {
        case .unknownNotification: "unknownNotification"
        case .unknownRegistration: "unknownRegistration"
        case .unknownInstallation: "unknownInstallation"
        case .unknownDevice: "unknownDevice"
        case .unknownHandle: "unknownHandle"
        case .notRegisteredThen: "notRegisteredThen"
        case .deleted: "deleted"
        case .formatDiffers: "formatDiffers"
        case .notNamed: "notNamed"
        case .relayWaiting: "relayWaiting"
        case .relayDeferred: "relayDeferred"
        case .relayed: "relayed"
        case .relayedOrDropped: "relayedOrDropped"
        case .relayRefused: "relayRefused"
        case .tagsDiffer: "tagsDiffer"
        case .historyCut: "historyCut"
        case .templateError: "templateError"
        case .invalidSize: "invalidSize"
        case .transient: "transient"
        case .expired: "expired"
        case .passed: "passed"
        case .collapsed: "collapsed"
        case .collapsedOrStored: "collapsedOrStored"
        case .overCap: "overCap"
        case .overCapOrStored: "overCapOrStored"
        case .purged: "purged"
        case .purgedOrStored: "purgedOrStored"
        case .historyCutOrStored: "historyCutOrStored"
        case .waiting: "waiting"
        case .pending: "pending"
        case .sentUnacknowledged: "sentUnacknowledged"
        case .acknowledged: "acknowledged"
        }
    }

    /// How near the notification came to the device; the highest of several is the answer.
    package var rank: Int {
        switch self {
        case .unknownNotification, .unknownRegistration, .unknownInstallation, .unknownDevice: 0
        case .formatDiffers, .notNamed: 1
        case .unknownHandle: 2
        case .deleted: 3
        case .notRegisteredThen: 4
        case .tagsDiffer, .historyCut: 5
        case .templateError, .invalidSize: 6
        case .transient: 7
        case .expired, .passed, .collapsed, .collapsedOrStored, .overCap, .overCapOrStored, .purged,
            .purgedOrStored, .historyCutOrStored:
            8
        case .relayRefused, .relayedOrDropped: 8
        case .waiting, .pending, .relayWaiting, .relayDeferred: 9
        case .sentUnacknowledged, .relayed: 10
        case .acknowledged: 11
        }
    }
}
