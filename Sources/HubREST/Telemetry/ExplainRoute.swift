import HubModel
import HubVocabulary

/// `GET /{hub}/$belfry/explain`: why a notification did or did not reach somebody; our own.
enum ExplainRoute {
    static let rows = [
        RouteRow(
            "explain",
            "GET",
            "/{hub}/$belfry/explain",
            "Says why a notification did or did not reach a device or registration",
            needs: .manage,
            inputs: [
                .query("notification", "The notification's id, as in `messages/ID`."),
                .query("registration", "A registration's id; or else one of the others."),
                .query("installation", "An installation's id."),
                .query(
                    "device",
                    "A device's id, 32 hex digits or as a UUID, or its push handle, 64 digits."
                ),
            ],
            answers: [AnswerNote(200, "The reason", Answer.json, schema: "Explanation")],
            refusals: [400],
            run: explain
        )
    ]

    private static func explain(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let target = exchange.incoming.target
        guard let given = target.value("notification") else {
            throw .refused(.invalid(field: "notification", reason: "is missing."))
        }
        let name = try NotificationAddress.read(given, field: "notification")
        let reply = try await exchange.submit(.explain(name, try subject(target)))
        guard case .explained(let explanations) = reply else { throw .mismatch }
        return Answer(json: ExplainDocument(notification: given, explanations))
    }

    /// Whom the query names, which must be exactly one.
    private static func subject(_ target: RequestTarget) throws(RequestFailure) -> ExplainSubject {
        var subjects: [ExplainSubject] = []
        if let id = target.value("registration") { subjects.append(.registration(id: id)) }
        if let id = target.value("installation") { subjects.append(.installation(id: id)) }
        if let text = target.value("device") {
            guard let subject = ExplainSubject(device: text) else {
                throw .refused(.invalid(field: "device", reason: "is no id of a device."))
            }
            subjects.append(subject)
        }
        guard let subject = subjects.first, subjects.count == 1 else {
            let reason = "or 'installation' or 'device' is needed, and only one of them."
            throw .refused(.invalid(field: "registration", reason: reason))
        }
        return subject
    }
}

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
                .unknownHandle,
                .deleted, .formatDiffers, .notNamed, .historyCut, .templateError, .transient,
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
