import HubAtom
import HubDirectory
import HubModel
import HubRules
import HubVocabulary

/// `POST /{hub}/messages` and `…/$batch`: a send by tags, to everybody, or direct.
///
/// Source: REST §8, §9.
enum SendRoute {
    static let rows = [
        RouteRow(
            "sendDirect",
            "POST",
            "/{hub}/messages",
            when: .flag("direct"),
            "Sends a notification to one handle",
            needs: .send,
            body: payload,
            inputs: [
                .query("direct", "Selects a direct send.", .flag),
                .header("ServiceBusNotification-DeviceHandle", "The handle."), format, key, test,
            ] + SendInputs.platform,
            answers: [accepted],
            refusals: [409],
            run: send
        ),
        RouteRow(
            "send",
            "POST",
            "/{hub}/messages",
            "Sends a notification by tags, or to everybody",
            needs: .send,
            body: payload,
            inputs: inputs + [
                .header(
                    "ServiceBusNotification-DeviceHandle",
                    "Without tags as with `direct`; otherwise it means nothing."
                ), key, test,
            ],
            answers: [accepted],
            refusals: [409],
            run: send
        ),
        RouteRow(
            "sendBatch",
            "POST",
            "/{hub}/messages/$batch",
            "Sends a notification to up to 1,000 handles",
            needs: .send,
            body: .read(
                BodyNote(
                    ["multipart/mixed", "multipart/form-data"],
                    "The part `notification` is the payload, the part `devices` a JSON array of "
                        + "handles.",
                    bytesMax: CoreLimits.standard.batches.batchBodyBytesMax
                )
            ),
            inputs: [.query("direct", "Must be there.", .flag), format, key, test],
            answers: [accepted],
            refusals: [409],
            run: batch
        ),
    ]

    private static let test = InputNote.query(
        "test",
        "Sends to ten of those that match, and answers with what happens at each.",
        .flag
    )

    /// Headers of a send by tags.
    static let inputs =
        [
            InputNote.header(
                "ServiceBusNotification-Tags",
                "A tag expression; absent or blank means everybody."
            ), format,
        ] + SendInputs.platform
    /// The words of a format.
    static let formats = ValueForm.words([
        "adm", "apple", "baidu", "browser", "fcmv1", "gcm", "template", "windows", "windowsphone",
        "xiaomi",
    ])
    private static let format = InputNote.header(
        "ServiceBusNotification-Format",
        "The platform whose native registrations are meant, or `template`.",
        formats
    )
    static let key = InputNote.header(
        "Idempotency-Key",
        "1 to 64 bytes: for 24 hours the same key with the same notification is answered as the "
            + "first time and sends nothing more; with another one it is refused with 409."
    )
    /// The body of a send.
    static let payload = BodyUse.read(
        BodyNote(
            [
                "application/json;charset=utf-8", "application/xml", "application/octet-stream",
                "application/x-www-form-urlencoded",
            ],
            "The platform's payload; for `template` a flat JSON object of properties.",
            example: #"{"aps":{"alert":"Hello"}}"#
        )
    )
    private static let accepted = AnswerNote(
        201,
        "Durable; devices get it",
        headers: [("Location", "Ends with the notification's id")]
    )

    /// 201 with the notification's id at the end of `Location`, once the send is durable.
    static func send(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let target = exchange.incoming.target
        let request = SendRequest(
            headers: exchange.incoming.headers,
            isDirect: target.flag("direct"),
            body: exchange.body,
            rule: exchange.grant.rule
        )
        return try await accept(request, of: exchange, path: target.path)
    }

    /// One notification for up to 1,000 handles of the body; `Location` is that of any other send,
    /// since clients take the path's third segment for the id.
    ///
    /// Source: REST §9.2.
    static func batch(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let target = exchange.incoming.target
        guard target.flag("direct") else {
            throw .refused(.invalid(field: "direct", reason: "a batch needs this flag."))
        }
        let batch = try refusing { () throws(Refusal) -> BatchBody in
            try BatchBody(
                exchange.body,
                contentType: exchange.incoming.header("Content-Type") ?? [],
                limits: exchange.configuration.limits
            )
        }
        // The payload's own content type, not that of the body around it.
        let contentType = Array("content-type".utf8)
        var headers = exchange.incoming.headers.filter { $0.name != contentType }
        headers.append(NamedValue(name: contentType, value: batch.contentType))
        let request = SendRequest(
            headers: headers,
            isDirect: true,
            handles: batch.handles,
            body: batch.notification,
            rule: exchange.grant.rule
        )
        let path = target.rawSegments.dropLast().map { "/\($0)" }.joined()
        return try await accept(request, of: exchange, path: path)
    }

    /// The outcome with the services' own answers, one after the other.
    private static func asked(
        _ outcome: TestOutcome,
        _ draft: NotificationDraft,
        _ exchange: Exchange
    ) async -> TestOutcome {
        var outcome = outcome
        for index in outcome.results.indices where outcome.results[index].verdict == .forService {
            let result = outcome.results[index]
            let trial = RelayTrial.notification(draft, handle: result.handle, result.stored)
            outcome.results[index].verdict = .service(
                await exchange.service.tryOut(trial, on: result.platform, of: exchange.hub)
            )
        }
        return outcome
    }

    private static func accept(
        _ request: SendRequest,
        of exchange: Exchange,
        path: String
    ) async throws(RequestFailure) -> Answer {
        let target = exchange.incoming.target
        var draft = try refusing { () throws(Refusal) -> NotificationDraft in
            try SendRules.draft(
                of: request,
                now: exchange.service.now,
                limits: exchange.configuration.limits
            )
        }
        draft.trace = exchange.trace
        func location(_ id: NotificationID, _ sequence: UInt64) -> (String, String) {
            let address = "\(path)/\(NotificationAddress.text(id, sequence))"
            return ("Location", exchange.incoming.url(path: address, query: target.query()))
        }
        var answer = Answer(status: 201, headers: [("Content-Type", ContentType.xml)])
        guard target.flag("test") else {
            let accepted = try await exchange.submit(Send(draft))
            answer.headers.append(location(accepted.id, accepted.sequence))
            return answer
        }
        let outcome = await asked(try await exchange.submit(TestSend(draft)), draft, exchange)
        answer.body = TestOutcomeWriter.xml(outcome)
        if let name = outcome.notification, let sequence = name.sequence {
            answer.headers.append(location(name.id, sequence))
        }
        return answer
    }
}
