import FoundationEssentials
import HubDirectory
import HubModel
import HubQuestions
import HubRules
import HubVocabulary

/// An operator's settings of a hub, and purges: own additions, under `/{hub}/$belfry/`.
enum SettingsRoutes {
    static let rows = [
        RouteRow(
            "readSettings",
            "GET",
            "/{hub}/$belfry/settings",
            "Reads how long a hub keeps what for absent devices",
            needs: .manage,
            answers: [AnswerNote(200, "The settings", ContentType.json, schema: "HubSettings")],
            run: read
        ),
        RouteRow(
            "changeSettings",
            "PUT",
            "/{hub}/$belfry/settings",
            "Changes how long a hub keeps what for absent devices",
            needs: .manage,
            body: .read(
                BodyNote(
                    ["application/json"],
                    "Members that are to change; the others stay as they are.",
                    example:
                        #"{"deviceCap":500,"retentionSeconds":86400,"timeToLiveSeconds":3600}"#,
                    schema: "HubSettingsChange"
                )
            ),
            answers: [
                AnswerNote(200, "The settings from now on", ContentType.json, schema: "HubSettings")
            ],
            run: change
        ),
        RouteRow(
            "purge",
            "POST",
            "/{hub}/$belfry/purge",
            "Takes back what was sent: no device gets it any more that has not got it",
            needs: .manage,
            inputs: [
                .query("through", "The last place in the log that is purged; or else `olderThan`."),
                .query("olderThan", "Seconds: what was accepted longer ago is purged."),
            ],
            answers: [
                AnswerNote(
                    200,
                    "What is purged from now on",
                    ContentType.json,
                    schema: "HubSettings"
                )
            ],
            refusals: [400],
            run: purge
        ),
    ]

    private static func read(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        Answer(json: Document(try await exchange.submit(GetSettings())))
    }

    private static func change(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let change = try change(in: exchange.body)
        return Answer(json: Document(try await exchange.submit(ChangeSettings(change))))
    }

    private static func change(in body: [UInt8]) throws(RequestFailure) -> HubSettingsChange {
        let reason = "must be a JSON object of whole numbers."
        // The refusal says what is wanted; the decoder's own reason would add nothing.
        guard let members = try? JSONDecoder().decode([String: UInt64].self, from: Data(body))
        else { throw .refused(.invalid(field: "body", reason: reason)) }
        var change = HubSettingsChange()
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            switch name {
            case "deviceCap": change.deviceCap = value
            case "logBytesWarned": change.logBytesWarned = value
            case "retentionSeconds": change.retentionSeconds = value
            case "timeToLiveSeconds": change.timeToLiveSeconds = value
            default: throw .refused(.invalid(field: "body", reason: "no setting has such a name."))
            }
        }
        return change
    }

    private static func purge(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let target = exchange.incoming.target
        let through = try number(target, "through")
        let olderThan = try number(target, "olderThan")
        let extent: PurgeExtent
        switch (through, olderThan) {
        case (let place?, nil): extent = .through(place)
        case (nil, let seconds?):
            let now = exchange.service.now.milliseconds
            let (age, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
            let past = overflow ? 0 : now - min(now, age)
            extent = .before(Timestamp(milliseconds: past))
        default:
            let reason = "or 'olderThan' is needed, and only one of them."
            throw .refused(.invalid(field: "through", reason: reason))
        }
        return Answer(json: Document(try await exchange.submit(Purge(extent))))
    }

    private static func number(
        _ target: RequestTarget,
        _ name: String
    ) throws(RequestFailure) -> UInt64? {
        guard let text = target.value(name) else { return nil }
        guard let number = UInt64(String(decoding: text, as: UTF8.self)) else {
            throw .refused(.invalid(field: name, reason: "must be a whole number."))
        }
        return number
    }

    private struct Document: Encodable {
        let deviceCap: UInt32
        let logBytesWarned: UInt64
        let purgedThrough: UInt64
        let retentionSeconds: UInt32
        let timeToLiveSeconds: UInt32

        init(_ settings: HubSettings) {
            deviceCap = settings.deviceCap
            logBytesWarned = settings.logBytesWarned
            purgedThrough = settings.purgedThrough
            retentionSeconds = settings.retentionSeconds
            timeToLiveSeconds = settings.timeToLiveDefaultSeconds
        }
    }
}
