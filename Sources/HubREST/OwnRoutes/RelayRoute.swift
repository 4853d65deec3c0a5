import HubDirectory
import HubModel
import HubQuestions
import HubVocabulary

/// `/{hub}/$belfry/relays`: where each lane to a push service stands, and operators' words to it;
/// our own.
enum RelayRoute {
    static let rows = [
        RouteRow(
            "getRelays",
            "GET",
            "/{hub}/$belfry/relays",
            "Says for each push service with a credential how far its relay has come",
            needs: .manage,
            answers: [
                AnswerNote(200, "One member for each platform", ContentType.json, schema: "Relays")
            ],
            run: get
        ),
        RouteRow(
            "checkRelay",
            "POST",
            "/{hub}/$belfry/relays/{platform}/check",
            "Asks a push service whether it takes the hub's credential; delivers nothing",
            needs: .manage,
            inputs: [platform],
            answers: [
                AnswerNote(200, "The service's answer", ContentType.json, schema: "RelayCheck")
            ],
            refusals: [400],
            run: check
        ),
        RouteRow(
            "skipRelay",
            "POST",
            "/{hub}/$belfry/relays/{platform}/skip",
            "Has a relay give up the notifications up to a place in the log",
            needs: .manage,
            inputs: [
                platform,
                .query("through", "The place of the last notification that is given up."),
            ],
            answers: [
                AnswerNote(200, "They end as purged", ContentType.json, schema: "RelaySkip")
            ],
            refusals: [400],
            run: skip
        ),
    ]

    private static let platform = InputNote.path(
        "platform",
        "The platform, as a lane's row has it."
    )

    private struct Lane: Encodable {
        var answers: UInt64
        var behind: UInt64
        var cause: String?
        var certificateEnd: String?
        var credential: String
        var deferred: Int
        var oldest: String?
        var open: Int
        var place: UInt64
        var rate: Double
        var refusal: String?
        var since: UInt64
        var waiting: Int

        init(_ report: RelayReport) {
            let condition = report.condition
            credential =
                switch condition.credential {
                case .untried: "untried"
                case .works: "works"
                case .refused: "refused"
                }
            refusal = condition.credential.refusal
            answers = condition.answers
            certificateEnd = condition.certificateEnd.map(TimeText.iso8601)
            oldest = condition.oldest.map(TimeText.iso8601)
            rate = condition.rate
            waiting = condition.waiting
            behind = report.behind
            cause = report.cause
            deferred = report.deferred
            open = report.open
            place = report.place
            since = report.since
        }
    }

    private struct Check: Encodable {
        var answer: String
        var outcome: String?
        var reason: String?

        init(_ found: RelayTrialAnswer) {
            switch found {
            case .taken(let word):
                answer = "taken"
                reason = word.isEmpty ? nil : word
            case .refused(let azure, let word):
                answer = "refused"
                outcome = azure.name
                reason = word.isEmpty ? nil : word
            case .unanswered(let word):
                answer = "unanswered"
                reason = word.isEmpty ? nil : word
            case .untestable: answer = "untestable"
            case .noRelay: answer = "noRelay"
            }
        }
    }

    private struct Skip: Encodable {
        var ended: Int
        var unread: UInt64
    }

    private static func platform(_ exchange: Exchange) throws(RequestFailure) -> Platform {
        let word = String(decoding: exchange.parameter("platform"), as: UTF8.self)
        guard let platform = Platform(named: word) else {
            throw .refused(.invalid(field: "platform", reason: "is no platform."))
        }
        return platform
    }

    private static func check(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let platform = try platform(exchange)
        let found = await exchange.service.tryOut(.credential, on: platform, of: exchange.hub)
        return Answer(json: Check(found))
    }

    private static func skip(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let platform = try platform(exchange)
        guard let place = try exchange.incoming.target.number("through", atLeast: 1) else {
            throw .refused(.invalid(field: "through", reason: "is missing."))
        }
        let found: RelaySkip?
        do throws(Refusal) {
            found = try await exchange.service.skip(
                through: UInt64(place),
                on: platform,
                of: exchange.hub
            )
        } catch { throw .refused(error) }
        guard let found else {
            throw .refused(.invalid(field: "platform", reason: "has no relay that runs."))
        }
        return Answer(json: Skip(ended: found.ended, unread: found.unread))
    }

    private static func get(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        var lanes: [String: Lane] = [:]
        for report in try await exchange.submit(GetRelays()) {
            lanes[report.platform.format] = Lane(report)
        }
        return Answer(json: lanes)
    }
}
