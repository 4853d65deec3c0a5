import HubAtom
import HubDirectory
import HubModel
import HubQuestions
import HubVocabulary

/// `GET /{hub}/$belfry/explain`: why a notification did or did not reach a device; our own.
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
            answers: [AnswerNote(200, "The reason", ContentType.json, schema: "Explanation")],
            refusals: [400],
            run: explain
        )
    ]

    private static func explain(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let target = exchange.incoming.target
        guard let given = target.value("notification") else {
            throw .refused(.invalid(field: "notification", reason: "is missing."))
        }
        let name = try refusing { () throws(Refusal) -> NotificationName in
            try NotificationAddress.read(given, field: "notification")
        }
        let told = try await exchange.submit(Explain(name, try subject(target)))
        return Answer(json: ExplainDocument(notification: given, told))
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
