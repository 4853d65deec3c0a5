import HubDirectory
import HubModel
import HubQuestions
import HubRules
import HubTemplates
import HubVocabulary

/// Installations: put, get, patch, delete.
///
/// Source: REST §5.
enum InstallationRoutes {
    static let rows = [
        RouteRow(
            "putInstallation",
            "PUT",
            "/{hub}/installations/{id}",
            "Creates an installation or replaces it whole",
            needs: .listen,
            body: document,
            inputs: [id],
            answers: [AnswerNote(200, "Stored, with the registrations that it stands for")],
            run: put
        ),
        RouteRow(
            "getInstallation",
            "GET",
            "/{hub}/installations/{id}",
            "Reads an installation",
            needs: .listen,
            inputs: [id],
            answers: [AnswerNote(200, "The document", ContentType.json, schema: "Installation")],
            run: get
        ),
        RouteRow(
            "patchInstallation",
            "PATCH",
            "/{hub}/installations/{id}",
            "Changes parts of an installation, all of them or none",
            needs: .listen,
            body: operations,
            inputs: [id],
            answers: [AnswerNote(200, "Changed")],
            run: patch
        ),
        RouteRow(
            "deleteInstallation",
            "DELETE",
            "/{hub}/installations/{id}",
            "Deletes an installation with its registrations",
            needs: .listen,
            inputs: [id],
            answers: [AnswerNote(204, "Gone, or never there")],
            run: delete
        ),
    ]

    private static let id = InputNote.path(
        "id",
        "The installation's id, chosen by the client: letters, digits and `-_@#.:=`."
    )
    private static let document = BodyUse.read(
        BodyNote(
            ["application/json"],
            "One JSON object: id, platform, push channel; perhaps user, tags, templates and more.",
            example: """
                {"installationId":"5b0c6f0e","platform":"apns","pushChannel":"0A1B2C3D",\
                "tags":["World"],"templates":{"news":{"body":"{\\"aps\\":{\\"alert\\":\
                \\"$(message)\\"}}"}}}
                """,
            schema: "Installation"
        )
    )
    private static let operations = BodyUse.read(
        BodyNote(
            ["application/json-patch+json", "application/json"],
            "A JSON array of operations `add`, `remove` and `replace`.",
            example: #"[{"op":"add","path":"/tags","value":"Sports"}]"#,
            schema: "InstallationPatch"
        )
    )

    /// `PUT /{hub}/installations/{id}`: 200, empty.
    static func put(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let limits = exchange.configuration.limits
        let id = exchange.parameter("id")
        let tree = try json(exchange)
        let draft = try refusing { () throws(Refusal) -> InstallationDraft in
            let document = try InstallationReader.document(tree, id: id, limits: limits)
            return try InstallationDraft(document, limits: limits)
        }
        return try await store(PutInstallation(draft, exchange.grant), exchange)
    }

    /// `PATCH /{hub}/installations/{id}`: 200, empty.
    static func patch(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let limits = exchange.configuration.limits
        let tree = try json(exchange)
        let patch = try refusing { () throws(Refusal) -> InstallationPatch in
            try InstallationPatch(tree, limits: limits)
        }
        return try await store(
            PatchInstallation(id: exchange.parameter("id"), patch, exchange.grant),
            exchange
        )
    }

    /// `GET /{hub}/installations/{id}`: 200 with the document.
    static func get(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let found = try await exchange.submit(GetInstallation(id: exchange.parameter("id")))
        return Answer(
            status: 200,
            headers: [("Content-Type", ContentType.json)],
            body: found.installation.answer(
                channelExpired: found.channelExpired,
                limits: exchange.configuration.limits
            )
        )
    }

    /// `DELETE /{hub}/installations/{id}`: 204, also when there is none.
    static func delete(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        try await exchange.submit(
            DeleteInstallation(id: exchange.parameter("id"), exchange.grant)
        )
        return Answer(status: 204)
    }

    /// An empty answer of the media type that the service gives it.
    ///
    /// Source: REST §2.4.
    private static func store(
        _ change: some HubChange,
        _ exchange: Exchange
    ) async throws(RequestFailure) -> Answer {
        _ = try await exchange.submit(change)
        return Answer(status: 200, headers: [("Content-Type", ContentType.xml)])
    }

    /// The body, which may begin with a byte order mark.
    private static func json(_ exchange: Exchange) throws(RequestFailure) -> JSONTree {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let body = exchange.body
        let text = body.starts(with: mark) ? Array(body.dropFirst(mark.count)) : body
        do throws(JSONTextError) {
            return try JSONTree(
                json: text.span,
                depthMax: exchange.configuration.limits.sends.nestingMax
            )
        } catch {
            throw .refused(.invalid(field: "Body", reason: error.reason))
        }
    }
}
