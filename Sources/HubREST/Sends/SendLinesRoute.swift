import HubDirectory
import HubModel
import HubRules
import HubVocabulary

/// `POST /{hub}/$belfry/messages`: many notifications in one request, an own addition.
///
/// A request costs more than a notification, so a sender with a different one for each user sends
/// them together. Every line is a send with the same checks, and has an outcome of its own.
enum SendLinesRoute {
    static let rows = [
        RouteRow(
            "sendLines",
            "POST",
            "/{hub}/$belfry/messages",
            "Sends many notifications, one on each line",
            needs: .send,
            body: .read(
                BodyNote(
                    [ContentType.jsonLines, "text/plain"],
                    """
                    Up to \(CoreLimits.standard.batches.sendLinesMax) lines, each a JSON object of \
                    \(CoreLimits.standard.sendLineBytesMax) bytes at most; its body has as many as \
                    a send of its own. `body` is \
                    the payload as a JSON value, or as a string whose text it is; `bodyBase64` is \
                    one of any bytes. `format`, `tags`, `handle`, `headers` and `idempotencyKey` \
                    mean what the headers of a send mean; with a handle the send is direct.
                    """,
                    example: example,
                    bytesMax: CoreLimits.standard.batches.sendLinesBytesMax
                )
            ),
            inputs: [
                .header(
                    "Idempotency-Key",
                    """
                    1 to \(SendLines.keyBytesMax()) bytes: a line without a key of its own gets \
                    this one with a slash and the number of the line.
                    """
                )
            ],
            answers: [
                AnswerNote(
                    200,
                    """
                    A line for each line that was not blank, in order. With `status` 201 the \
                    notification is durable and devices get it; otherwise `status`, `code` and \
                    `detail` are those that a send of its own would have been answered with, and \
                    `retryAfterSeconds` is its `Retry-After`. Where the hub's store failed, that \
                    line and all behind it are refused
                    """,
                    ContentType.jsonLines,
                    schema: "SendLineOutcome"
                )
            ],
            run: send
        )
    ]

    private static let example = """
        {"format":"gcm","tags":"user-1","body":{"data":{"a":"b"}}}
        {"tags":"user-2","body":{"title":"Hello"},"idempotencyKey":"order-7"}
        """

    /// 200 with an outcome for each line, once those that say 201 are durable.
    ///
    /// When the hub can take nothing at all now, the request is refused as a single send would be.
    private static func send(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        guard !exchange.incoming.target.flag("test") else {
            throw .refused(.invalid(field: "test", reason: "one notification alone is tested."))
        }
        let lines = try refusing { () throws(Refusal) in
            try SendLines.read(
                exchange.body,
                headers: exchange.incoming.headers,
                rule: exchange.grant.rule,
                now: exchange.service.now,
                limits: exchange.configuration.limits
            )
        }
        // Why a line is no draft is told with its outcome.
        let drafts = lines.compactMap { try? $0.draft.get() }
        var outcomes: [Result<AcceptedSend, Refusal>] = []
        let tell = exchange.configuration.onSendLines
        do throws(RequestFailure) {
            if !drafts.isEmpty { outcomes = try await exchange.submit(SendAll(drafts)) }
            if let refusal = common(outcomes) { throw .refused(refusal) }
        } catch {
            if case .cancelled = error { throw error }
            tell(SendLineCount(status: error.status, subCode: error.subCode, count: lines.count))
            throw error
        }
        var tally = SendLineTally()
        var writer = SendLinesWriter(address(of: exchange))
        var told = outcomes[...]
        for line in lines {
            // The hub has told what became of each draft, in their order.
            let outcome = line.draft.flatMap { _ in told.removeFirst() }
            tally.add(outcome)
            writer.write(outcome, line: line.number)
        }
        for count in tally.counts { tell(count) }
        return Answer(
            status: 200,
            headers: [("Content-Type", ContentType.jsonLines)],
            body: writer.bytes
        )
    }

    /// Why the hub took none of the notifications, when it was the hub that could not; of several
    /// reasons the one that leaves open what became of some.
    private static func common(_ outcomes: [Result<AcceptedSend, Refusal>]) -> Refusal? {
        var first: Refusal?
        for outcome in outcomes {
            guard case .failure(let refusal) = outcome, refusal.isOfHub else { return nil }
            if case .storeUnanswered = refusal { first = refusal } else { first = first ?? refusal }
        }
        return first
    }

    /// The address of a notification, in front of its id and behind it.
    private static func address(of exchange: Exchange) -> (front: String, back: String) {
        let target = exchange.incoming.target
        let path = "/\(target.rawSegments[0])/messages/"
        return (exchange.incoming.url(path: path, query: ""), target.query())
    }
}

extension Refusal {
    /// Whether the hub could take nothing, whatever was asked.
    fileprivate var isOfHub: Bool {
        switch self {
        case .throttled, .tooFast, .storeUnavailable, .storeUnanswered, .storeFull, .stopping: true
        default: false
        }
    }
}
