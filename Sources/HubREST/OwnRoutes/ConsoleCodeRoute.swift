import HubModel
import HubRules
import HubVocabulary

/// Codes for the console, of the server or of one hub: own additions, under `/$belfry/`.
enum ConsoleCodeRoute {
    static let rows = [
        RouteRow(
            "makeConsoleCode",
            "POST",
            "/$belfry/console/codes",
            "Makes a code that signs in to the console, or confirms what destroys",
            ofNamespace: .manage,
            inputs: inputs,
            answers: answers,
            refusals: [400],
            run: { exchange throws(RequestFailure) in
                try answer(exchange.incoming, exchange.configuration, nil, exchange.grant.rule)
            }
        ),
        RouteRow(
            "makeConsoleCodeOfHub",
            "POST",
            "/{hub}/$belfry/console/codes",
            "Makes such a code for one hub alone",
            needs: .manage,
            inputs: inputs,
            answers: answers,
            refusals: [400],
            run: { exchange throws(RequestFailure) in
                try answer(
                    exchange.incoming,
                    exchange.configuration,
                    exchange.hub,
                    exchange.grant.rule
                )
            }
        ),
    ]

    private static let hoursMax = 12
    private static let hoursDefault = 8
    private static let inputs: [InputNote] = [
        .query("role", "What the session may do.", .words(ConsoleRole.allCases.map(\.rawValue))),
        .query("name", "Who the operator is, for the audit."),
        .query("hours", "How long the session lasts.", .number(1...hoursMax)),
        .query("confirm", "Makes nine digits that confirm instead of a code to sign in.", .flag),
    ]
    private static let answers = [
        AnswerNote(200, "A code that works once", ContentType.json, schema: "ConsoleCode")
    ]

    private struct Made: Encodable {
        var code: String
        var expires: String
        /// Absent from a confirmation.
        var relay: String?
    }

    private static func answer(
        _ incoming: IncomingRequest,
        _ configuration: RESTConfiguration,
        _ hub: HubName?,
        _ rule: String
    ) throws(RequestFailure) -> Answer {
        guard let codes = configuration.consoleCodes else { throw .pathUnknown }
        let target = incoming.target
        let word = target.value("role") ?? Array(ConsoleRole.viewer.rawValue.utf8)
        guard let role = ConsoleRole(rawValue: String(decoding: word, as: UTF8.self)) else {
            throw .refused(
                .invalid(field: "role", reason: "must be 'viewer', 'sender' or 'manager'.")
            )
        }
        let hours = try target.number("hours", in: 1...hoursMax) ?? hoursDefault
        let asked = ConsoleCodeRequest(
            purpose: target.flag("confirm") ? .confirm : .signIn(role, hours: hours),
            hub: hub,
            rule: rule,
            name: String(decoding: target.value("name") ?? Array("operator".utf8), as: UTF8.self)
        )
        let made = try refusing { () throws(Refusal) in try codes.code(asked) }
        var answer = Answer(
            json: Made(
                code: made.text,
                expires: TimeText.iso8601(made.expires),
                relay: made.relay
            )
        )
        answer.headers.append(("Cache-Control", "no-store"))
        return answer
    }
}
