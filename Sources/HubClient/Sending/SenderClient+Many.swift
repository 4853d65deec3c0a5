import NIOHTTP1

// Many different notifications in few requests: a request costs more than a notification.
extension SenderClient {
    /// Lines that one request may have.
    public static let linesMax = 1_000
    /// Bytes that they may have together.
    public static let linesBytesMax = 4_194_304

    /// Sends many notifications, in their order, in as few requests as hold them; says of each what
    /// became of it, in the same order.
    ///
    /// A success is on stable storage. One that the hub refuses is no reason not to send the others.
    /// With a retry policy what may succeed later is sent again, with the same idempotency keys;
    /// when that ends without an answer, or the hub takes nothing more, those behind it are not sent:
    /// they are refused as it was, or `.unreached`. What is left is a rest that can be sent later in
    /// its order.
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
    /// They are one request's: as many and as long as that may be, none of them blank.
    package func send(
        lines: [[UInt8]]
    ) async -> (outcomes: [Result<SentNotification, SenderError>], ended: SenderError?) {
        var outcomes: [Result<SentNotification, SenderError>?] = lines.map { _ in nil }
        var waiting = Array(lines.indices)
        let start = ContinuousClock.now
        var attempt = 0
        var ended: SenderError?
        while !waiting.isEmpty {
            attempt += 1
            var untaken: [Int] = []
            var worst: SenderError?
            do throws(SenderError) {
                let (answers, tracking) = try await post(waiting.map { lines[$0] })
                for (place, answer) in zip(waiting, answers) {
                    let outcome = answer.result(trackingID: tracking)
                    outcomes[place] = outcome
                    guard case .failure(let error) = outcome, error.isOfHub else { continue }
                    untaken.append(place)
                    // What cannot be repeated decides.
                    if worst?.invitesRepeat != false { worst = error }
                }
                ended = worst
            } catch {
                // What refused these lines before says more than that the hub is away now.
                for place in waiting {
                    if case .unreached = error, outcomes[place] != nil { continue }
                    outcomes[place] = .failure(error)
                }
                ended = error.behind(ended)
                break
            }
            guard let refusal = ended, refusal.invitesRepeat,
                await mayRepeat(after: attempt, since: start, refusal)
            else { break }
            waiting = untaken
        }
        return (outcomes.map { $0 ?? .failure(.unreached(reason: "not sent")) }, ended)
    }

    /// Waits as the policy says; false when it is time to give up.
    private func mayRepeat(
        after attempt: Int,
        since start: ContinuousClock.Instant,
        _ error: SenderError
    ) async -> Bool {
        var asked: Int?
        if case .refused(let refused) = error { asked = refused.retryAfterSeconds }
        let pause = retries.pause(after: attempt, asked: asked)
        let next = ContinuousClock.now + pause
        guard next - start <= retries.patience, deadline.map({ next < $0 }) ?? true else {
            return false
        }
        return (try? await Task.sleep(for: pause)) != nil
    }

    /// Posts lines, and gives the answer for each, with the request's tracking id.
    ///
    /// A line without a key gets one of the request, which is new: a rest of lines is numbered anew.
    private func post(
        _ lines: [[UInt8]]
    ) async throws(SenderError) -> (answers: [SendLineAnswer], trackingID: String) {
        let headers = HTTPHeaders([
            ("Content-Type", "application/x-ndjson"),
            ("Idempotency-Key", OutgoingNotification.newIdempotencyKey()),
        ])
        var body: [UInt8] = []
        body.reserveCapacity(lines.reduce(0) { $0 + $1.count + 1 })
        for line in lines {
            body += line
            body.append(UInt8(ascii: "\n"))
        }
        let path = "$belfry/messages"
        let answer = try await perform(.POST, path: path, headers: headers, body: body)
        let answers = try SendLineAnswer.read(answer.text, count: lines.count)
        return (answers, answer.headers.first(name: "TrackingId") ?? "")
    }
}

extension SenderError {
    /// Whether the hub could take nothing, whatever was asked: what is behind it must not be sent.
    package var isOfHub: Bool { invitesRepeat || status == 507 }

    /// What is known of a notification that was not sent because of this one.
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
