import HubAtom
import HubModel
import HubQuestions
import HubTags
import HubVocabulary

/// An explanation as JSON: the reason that came nearest, then each registration's own.
struct ExplainDocument: Encodable {
    /// A tag that the expression asks for, or forbids.
    struct Term: Encodable {
        var holds: Bool
        var term: String
    }

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
        /// The tags that it had when the notification was accepted, and the places of these.
        var tags: [String]?
        var tagsSince: UInt64?
        var tagsUntil: UInt64?
        /// Each tag of the expression, held against them.
        var terms: [Term]?

        init(_ explanation: Explanation) {
            registration = explanation.registration.map { String(decoding: $0, as: UTF8.self) }
            platform = explanation.platform?.format
            slot = explanation.slot.map { Int($0) }
            reason = explanation.reason.word
            sentence = explanation.sentence
            if let then = explanation.tagsThen {
                tags = then.tags.map { String(decoding: $0, as: UTF8.self) }
                (tagsSince, tagsUntil) = (then.since, then.until)
                terms = then.terms.map {
                    Term(holds: $0.holds, term: String(decoding: $0.text, as: UTF8.self))
                }
            }
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

    private let accepted: String?
    private let expires: String?
    private let fannedOut: String?
    private let notification: String
    private let place: UInt64?
    private let receivers: String?
    private let reason: String
    private let sentence: String
    private let registrations: [Entry]

    init(notification: [UInt8], _ told: Explain.Reply) {
        self.notification = String(decoding: notification, as: UTF8.self)
        accepted = told.record.map { TimeText.iso8601($0.id.time) }
        expires = told.record.map { TimeText.iso8601($0.expires) }
        fannedOut = told.fannedOut.map { TimeText.iso8601($0) }
        place = told.record?.sequence
        receivers = told.record.map { Self.words($0.draft.target) }
        registrations = told.reasons.map(Entry.init)
        reason = registrations[0].reason
        sentence = registrations[0].sentence
    }

    /// Whom it is for: the tag expression, or words.
    private static func words(_ target: NotificationTarget) -> String {
        switch target {
        case .broadcast: "everyone"
        case .tags(let expression): String(decoding: expression.source, as: UTF8.self)
        case .handles(let handles): "\(handles.count) handles"
        case .slots(let slots): "\(slots.count) registrations of a test"
        }
    }
}
