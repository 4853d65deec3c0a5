import HubAtom
import HubDirectory
import HubModel
import HubQuestions
import HubRules
import HubTags
import HubTemplates
import HubVocabulary

/// Questions of operators about tags and audiences: an own addition, under `/{hub}/$belfry/`.
///
/// Nothing here has an effect; handles are masked.
enum InspectionRoutes {
    static let rows = [
        RouteRow(
            "listTags",
            "GET",
            "/{hub}/$belfry/tags",
            "Lists the tags in use with the number of their registrations",
            needs: .manage,
            inputs: [
                .query("prefix", "Only tags that begin so, without case."),
                .query("$top", "Tags of a page at most.", .number(1...Int(Int32.max))),
                .query("continuationtoken", "`continuationToken` of the page before."),
            ],
            answers: [
                AnswerNote(200, "A page in alphabetical order", ContentType.json, schema: "TagPage")
            ],
            refusals: [400],
            run: tags
        ),
        RouteRow(
            "inspectAudience",
            "GET",
            "/{hub}/$belfry/audience",
            "Counts the registrations that a tag expression means",
            needs: .manage,
            inputs: [
                .query("tags", "A tag expression; absent or blank means everybody."),
                .query("format", "Only those that sends of this format reach.", SendRoute.formats),
                sample,
            ],
            answers: [
                AnswerNote(200, "How many, and some of them", ContentType.json, schema: "Audience")
            ],
            refusals: [400],
            run: audience
        ),
        RouteRow(
            "previewSend",
            "POST",
            "/{hub}/$belfry/preview",
            "Says who would receive a send, with the rendered text",
            needs: .manage,
            body: SendRoute.payload,
            inputs: SendRoute.inputs + [sample],
            answers: [
                AnswerNote(200, "How many, and what some get", ContentType.json, schema: "Preview")
            ],
            run: preview
        ),
    ]

    private static let tagsDefault = 100
    private static let sampleDefault = 10
    private static let sample = InputNote.query(
        "sample",
        "How many registrations to show.",
        .number(0...CoreLimits.standard.inspection.sampleMax)
    )

    // MARK: Tags

    /// `GET /{hub}/$belfry/tags`: one page, alphabetical.
    private static func tags(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let target = exchange.incoming.target
        let asked = try target.top() ?? tagsDefault
        let limit = min(asked, exchange.configuration.limits.inspection.pageTagsMax)
        let after = try continuation(target)
        let found = try await exchange.asking.tags(
            prefix: target.value("prefix") ?? [],
            after: after,
            limit: limit
        )
        let answered = TagPage(
            continuationToken: found.next.map { $0.map { HexText.digits($0) }.joined() },
            tags: found.entries.map { found in
                let tag = String(decoding: found.tag, as: UTF8.self)
                return TagPage.Tag(registrations: found.registrations, tag: tag)
            }
        )
        return Answer(json: answered)
    }

    /// The folded bytes of the last tag of the page before, two hex digits each.
    private static func continuation(_ target: RequestTarget) throws(RequestFailure) -> [UInt8] {
        let digits = target.value("continuationtoken") ?? []
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: digits.count, by: 2) {
            guard let byte: UInt8 = HexText.number(digits[start...].prefix(2)) else {
                throw .refused(.foreignToken)
            }
            bytes.append(byte)
        }
        return bytes
    }

    // MARK: Audiences

    /// `GET /{hub}/$belfry/audience`: a dry run of a tag expression.
    private static func audience(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let target = exchange.incoming.target
        let found = try await gather(
            exchange,
            try HubAsking.target(
                ofTags: target.value("tags") ?? [],
                exchange.configuration.limits
            ),
            format: try format(target)
        )
        let sample = found.sample.map { RegistrationReport($0) }
        return Answer(json: AudienceReport(found, sample: sample))
    }

    private static func format(
        _ target: RequestTarget
    ) throws(RequestFailure) -> NotificationFormat? {
        guard let word = target.value("format"), !word.isEmpty else { return nil }
        guard let format = SendRules.format(word: word) else {
            throw .refused(.invalid(field: "format", reason: "is no format of sends."))
        }
        return format
    }

    /// `POST /{hub}/$belfry/preview`: a dry run of a send, which is checked as if it were one.
    private static func preview(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        guard !exchange.incoming.target.flag("direct") else {
            throw .refused(.invalid(field: "direct", reason: "names its handles itself."))
        }
        let request = SendRequest(headers: exchange.incoming.headers, body: exchange.body)
        let draft = try refusing { () throws(Refusal) -> NotificationDraft in
            try SendRules.draft(
                of: request,
                now: exchange.service.now,
                limits: exchange.configuration.limits
            )
        }
        let found = try await gather(exchange, draft.target, format: draft.format)
        // A template's draft has been checked to be one: properties are there.
        let properties = (try? PropertyBag(json: draft.body.span)) ?? PropertyBag()
        let sample = found.sample.map { registration in
            var report = RegistrationReport(registration)
            if draft.format == .template {
                report.render(registration, properties)
            } else {
                report.show(draft.body)
            }
            return report
        }
        return Answer(json: AudienceReport(found, sample: sample))
    }

    private static func gather(
        _ exchange: Exchange,
        _ target: NotificationTarget,
        format: NotificationFormat?
    ) async throws(RequestFailure) -> InspectedAudience {
        let most = exchange.configuration.limits.inspection.sampleMax
        let asked = try exchange.incoming.target.number("sample", in: 0...most)
        return try await exchange.asking.audience(
            target,
            format: format,
            sample: asked ?? sampleDefault
        )
    }
}
