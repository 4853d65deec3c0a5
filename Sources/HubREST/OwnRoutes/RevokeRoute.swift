import HubDirectory
import HubModel
import HubVocabulary

/// `POST /{hub}/$belfry/revoke`: makes a device's key and handle worthless; our own.
enum RevokeRoute {
    static let rows = [
        RouteRow(
            "revokeDevice",
            "POST",
            "/{hub}/$belfry/revoke",
            "Revokes a device's key: its session ends, and it cannot come back with it",
            needs: .manage,
            inputs: [
                .query(
                    "device",
                    "A device's id, 32 hex digits or as a UUID, or its push handle, 64 digits."
                )
            ],
            answers: [
                AnswerNote(
                    200,
                    "Durable; the old key proves nothing",
                    ContentType.json,
                    schema: "Revocation"
                )
            ],
            refusals: [400],
            run: revoke
        )
    ]

    /// The body of the answer.
    private struct Revocation: Encodable {
        var device: String
        var generation: UInt32
    }

    private static func revoke(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        guard let text = exchange.incoming.target.value("device") else {
            throw .refused(.invalid(field: "device", reason: "is missing."))
        }
        guard let subject = ExplainSubject(device: text) else {
            throw .refused(.invalid(field: "device", reason: "is no id of a device."))
        }
        let revoked = try await exchange.submit(RevokeDevice(subject))
        let id = NotificationID(high: revoked.device.high, low: revoked.device.low).text
        return Answer(json: Revocation(device: id, generation: revoked.generation))
    }
}
