import HubAtom
import HubModel
import HubVocabulary

/// An explanation as JSON: the reason that came nearest, then each registration's own.
struct ExplainDocument: Encodable {
    /// The reason for one registration.
    struct Entry: Encodable {
        var registration: String?
        var platform: String?
        var slot: Int?
        var reason: String
        var sentence: String
        /// The part of the tag expression that fails.
        var part: String?
        /// The first place from which the registration gets anything.
        var since: UInt64?
        var expires: String?
        var lastSeen: String?
        /// The notification that replaced it.
        var newer: String?
        var bytes: Int?
        var limit: Int?

        init(_ explanation: Explanation) {
            registration = explanation.registration.map { String(decoding: $0, as: UTF8.self) }
            platform = explanation.platform?.format
            slot = explanation.slot.map { Int($0) }
            reason = explanation.reason.word
            sentence = explanation.sentence
            switch explanation.reason {
            case .tagsDiffer(let failing): part = String(decoding: failing, as: UTF8.self)
            case .notRegisteredThen(let place): since = place
            case .expired(let time), .passed(let time): expires = CivilTime(time).isoMilliseconds
            case .waiting(let time), .sentUnacknowledged(let time):
                lastSeen = time.map { CivilTime($0).isoMilliseconds }
            case .acknowledged(let time): lastSeen = CivilTime(time).isoMilliseconds
            case .collapsed(let name), .collapsedOrStored(let name):
                newer = NotificationAddress.text(name.id, name.sequence ?? 0)
            case .invalidSize(let rendered, let allowed):
                bytes = rendered
                limit = allowed
            case .unknownNotification, .unknownRegistration, .unknownInstallation, .unknownDevice,
                .unknownHandle, .relayWaiting, .relayDeferred, .relayed, .relayedOrDropped,
                .relayRefused, .deleted, .formatDiffers, .notNamed, .historyCut, .templateError,
                .transient,
                .pending, .overCap, .overCapOrStored, .purged, .purgedOrStored, .historyCutOrStored:
                break
            }
        }
    }

    private let notification: String
    private let reason: String
    private let sentence: String
    private let registrations: [Entry]

    init(notification: [UInt8], _ explanations: [Explanation]) {
        self.notification = String(decoding: notification, as: UTF8.self)
        registrations = explanations.map(Entry.init)
        reason = registrations[0].reason
        sentence = registrations[0].sentence
    }
}
