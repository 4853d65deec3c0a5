import HubAtom
import HubDirectory
import HubModel
import HubQuestions
import HubRules
import HubVocabulary

/// Single registrations: reserve, create, put, get, delete.
///
/// Source: REST §4.3–§4.7.
enum RegistrationRoutes {
    static let rows = [
        RouteRow(
            "reserveRegistrationID",
            "POST",
            "/{hub}/registrationIDs",
            "Reserves a registration id",
            needs: .listen,
            answers: [
                AnswerNote(
                    201,
                    "Reserved",
                    headers: [("Location", "Ends with the new id; repeats the request's query")]
                )
            ],
            run: reserve
        ),
        RouteRow(
            "createRegistration",
            "POST",
            "/{hub}/registrations",
            "Creates a registration under a new id",
            needs: .listen,
            body: description,
            answers: [entry("The stored registration")],
            run: create
        ),
        RouteRow(
            "putRegistration",
            "PUT",
            "/{hub}/registrations/{id}",
            "Creates a registration or replaces it whole",
            needs: .listen,
            body: description,
            inputs: [id, ifMatch],
            answers: [entry("The stored registration")],
            refusals: [410, 412],
            run: put
        ),
        RouteRow(
            "getRegistration",
            "GET",
            "/{hub}/registrations/{id}",
            "Reads a registration",
            needs: .listen,
            inputs: [id],
            answers: [entry("The registration")],
            run: get
        ),
        RouteRow(
            "deleteRegistration",
            "DELETE",
            "/{hub}/registrations/{id}",
            "Deletes a registration",
            needs: .listen,
            inputs: [id, ifMatch],
            answers: [AnswerNote(200, "Deleted")],
            refusals: [412],
            run: delete
        ),
    ]

    private static let id = InputNote.path("id", "The registration's id: `digits-digits-digit`.")
    private static let ifMatch = InputNote.header(
        "If-Match",
        "`*` asks for an existing registration, `W/\"n\"` for one in that version."
    )
    private static let description = BodyUse.read(
        BodyNote(
            ["application/atom+xml;type=entry;charset=utf-8"],
            "An Atom entry whose content is one registration description.",
            example: """
                <entry xmlns="http://www.w3.org/2005/Atom"><content type="application/xml">\
                <AppleRegistrationDescription \
                xmlns="http://schemas.microsoft.com/netservices/2010/10/servicebus/connect">\
                <Tags>world,sport</Tags><DeviceToken>0A1B2C3D</DeviceToken>\
                </AppleRegistrationDescription></content></entry>
                """
        )
    )

    private static func entry(_ text: String) -> AnswerNote {
        AnswerNote(
            200,
            text,
            ContentType.entry,
            headers: [
                ("ETag", "`W/\"n\"`, up by one with each write"),
                ("Content-Location", "The registration's address"),
            ]
        )
    }

    /// `POST /{hub}/registrationIDs`: 201 with the new id at the end of `Location`.
    static func reserve(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let id = try await exchange.submit(ReserveRegistrationID())
        let location = exchange.location(of: String(decoding: id, as: UTF8.self))
        return Answer(status: 201, headers: [("Location", location)])
    }

    /// `POST /{hub}/registrations`: 200 with the stored entry.
    static func create(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let content = try content(exchange)
        let stored = try await exchange.submit(CreateRegistration(content, exchange.grant))
        let url = exchange.location(of: String(decoding: stored.id, as: UTF8.self))
        return entry(stored, url: url, exchange)
    }

    /// `PUT /{hub}/registrations/{id}`: 200 with the stored entry.
    static func put(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let content = try content(exchange)
        let condition = WriteCondition(
            ifMatch: exchange.incoming.header("If-Match"),
            absent: .none
        )
        let stored = try await exchange.submit(
            PutRegistration(id: exchange.parameter("id"), content, condition, exchange.grant)
        )
        return entry(stored, url: ownURL(exchange), exchange)
    }

    /// `GET /{hub}/registrations/{id}`: 200 with the entry.
    static func get(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let stored = try await exchange.submit(GetRegistration(id: exchange.parameter("id")))
        return entry(stored, url: ownURL(exchange), exchange)
    }

    /// `DELETE /{hub}/registrations/{id}`: 200, empty; without `If-Match` as with `*`.
    static func delete(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let condition = WriteCondition(
            ifMatch: exchange.incoming.header("If-Match"),
            absent: .exists
        )
        try await exchange.submit(
            DeleteRegistration(id: exchange.parameter("id"), condition, exchange.grant)
        )
        return Answer(status: 200)
    }

    private static func content(
        _ exchange: Exchange
    ) throws(RequestFailure) -> RegistrationContent {
        let limits = exchange.configuration.limits
        return try refusing { () throws(Refusal) -> RegistrationContent in
            try RegistrationReader.read(exchange.body, limits: limits).validated(limits: limits)
        }
    }

    private static func ownURL(_ exchange: Exchange) -> String {
        let target = exchange.incoming.target
        return exchange.incoming.url(path: target.path, query: target.query())
    }

    private static func entry(
        _ registration: Registration,
        url: String,
        _ exchange: Exchange
    ) -> Answer {
        Answer(
            status: 200,
            headers: [
                ("Content-Type", ContentType.entry),
                ("ETag", "W/\"\(registration.version)\""), ("Content-Location", url),
            ],
            body: RegistrationWriter.entry(registration, url: url)
        )
    }
}
