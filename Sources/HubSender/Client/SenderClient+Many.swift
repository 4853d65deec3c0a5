import NIOHTTP1

// Many different notifications in few requests: a request costs more than a notification.
extension SenderClient {
    /// Lines that one request may have.
    public static let linesMax = 1_000
    /// Bytes that they may have together.
    public static let linesBytesMax = 4_194_304

    /// Sends many notifications, in their order, in as few requests as hold them.
    ///
    /// Returns the outcome of each in the same order. A success is on stable storage. A refusal of
    /// one is no reason not to send the others.
    ///
    /// With a retry policy, whose patience each request has once, lines that may succeed later are
    /// sent again with the same idempotency keys. A refusal says whether an earlier attempt of its
    /// notification got no answer (`followsUnanswered`).
    ///
    /// When that ends without an answer, or the hub takes nothing more, the later ones are not
    /// sent. They get the same refusal, or `.unreached`, and can be sent later in their order.
    ///
    ///     let outcomes = await sender.send(users.map { .template(["text": $0.text], to: $0.tag) })
    ///     for case .failure(let error) in outcomes { print(error) }
    public func send(
        _ notifications: [OutgoingNotification]
    ) async -> [Result<SentNotification, SenderError>] {
        var outcomes: [Result<SentNotification, SenderError>] = []
        outcomes.reserveCapacity(notifications.count)
        var start = 0
        while start < notifications.count {
            let part = Self.part(of: notifications, from: start)
            start += part.count
            let (told, ended) = await send(lines: part)
            outcomes += told
            guard let ended else { continue }
            let rest = ended.ofUnsent
            while outcomes.count < notifications.count { outcomes.append(.failure(rest)) }
            return outcomes
        }
        return outcomes
    }

    /// The lines from a place on that one request holds, at least one.
    private static func part(
        of notifications: [OutgoingNotification],
        from start: Int
    ) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var bytes = 0
        for notification in notifications[start...].prefix(linesMax) {
            let line = SendLineText.line(notification)
            bytes += line.count + 1
            if !lines.isEmpty, bytes > linesBytesMax { break }
            lines.append(line)
        }
        return lines
    }

    /// Sends lines as they are, and again those that the hub could not take; `ended` says why it
    /// takes nothing more, so that what comes behind them must not be sent.
    ///
    /// They are one request's: as many and as long as that may be, none of them blank. Each has an
    /// idempotency key of its own, otherwise it may be sent twice: an attempt whose answer is
    /// missing, and what a disk gave back after all, may have been kept.
    package func send(
        lines: [[UInt8]]
    ) async -> (outcomes: [Result<SentNotification, SenderError>], ended: SenderError?) {
        var progress = LineProgress(count: lines.count)
        var repeats = RetryTimes(retries, deadline: deadline)
        while let first = progress.waiting.first {
            let place: Int
            let refusal: SenderError
            do throws(SenderError) {
                let (answers, tracking) = try await post(progress.waiting.map { lines[$0] })
                guard let worst = progress.take(answers, trackingID: tracking) else { break }
                (place, refusal) = worst
            } catch {
                progress.fail(error)
                (place, refusal) = (first, error)
            }
            guard await repeats.wait(behind: refusal) else {
                guard case .failure(let ended) = progress.outcomes[place] else { break }
                return (progress.outcomes, ended)
            }
        }
        return (progress.outcomes, nil)
    }

    /// Posts lines once, and gives the answer for each, with the request's tracking id.
    private func post(
        _ lines: [[UInt8]]
    ) async throws(SenderError) -> (answers: [SendLineAnswer], trackingID: String) {
        var body: [UInt8] = []
        body.reserveCapacity(lines.reduce(0) { $0 + $1.count + 1 })
        for line in lines {
            body += line
            body.append(UInt8(ascii: "\n"))
        }
        let answer = try await perform(
            .POST,
            path: "$belfry/messages",
            headers: HTTPHeaders([("Content-Type", "application/x-ndjson")]),
            body: body,
            isRepeatable: false
        )
        let answers = try SendLineAnswer.read(answer.text, count: lines.count)
        return (answers, answer.headers.first(name: "TrackingId") ?? "")
    }
}

extension SenderError {
    /// Whether the hub could take nothing, whatever was asked: what is behind it must not be sent.
    package var isOfHub: Bool { invitesRepeat || status == 507 }

    /// The outcome of a notification that was not sent because of this one.
    fileprivate var ofUnsent: SenderError {
        switch self {
        case .refused(var refused):
            // The one before may have been accepted; this one was not.
            refused.followsUnanswered = false
            return .refused(refused)
        case .unanswered, .answerMalformed:
            return .unreached(reason: "not sent, since of what is before it nothing is known")
        case .unreached, .authorityUnreadable, .platformUnsupported: return self
        }
    }
}
