import HubAtom
import HubHistory
import HubModel
import HubVocabulary

/// `GET /{hub}/$belfry/tests/{id}`: how far a test send came at each device; our own.
enum TestStepsRoute {
    static let rows = [
        RouteRow(
            "testSteps",
            "GET",
            "/{hub}/$belfry/tests/{id}",
            "Tells when a test send was written to each device, and when the device had stored it",
            needs: .manage,
            inputs: [.path("id", "The notification's id, as in `messages/ID`.")],
            answers: [
                AnswerNote(
                    200,
                    "The devices to which it was sent so far",
                    ContentType.json,
                    schema: "TestSteps"
                )
            ],
            refusals: [400, 404],
            run: steps
        )
    ]

    private struct Steps: Encodable {
        var devices: [Device]
    }

    private struct Device: Encodable {
        /// Milliseconds; absent until the device has stored it.
        var acknowledged: Double?
        var device: String
        var sent: Double
    }

    private static func steps(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let name = try refusing { () throws(Refusal) -> NotificationName in
            try NotificationAddress.read(exchange.parameter("id"), field: "id")
        }
        guard let found = exchange.service.testDevices(of: name.id, in: exchange.hub) else {
            throw .refused(.notificationNotFound)
        }
        let devices = found.map { device in
            Device(
                acknowledged: device.acknowledged,
                device: HexText.digits(device.device.high) + HexText.digits(device.device.low),
                sent: device.sent
            )
        }
        return Answer(json: Steps(devices: devices))
    }
}
