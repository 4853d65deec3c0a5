import HubCore

/// `POST /{hub}/messages`: a send by tags, to everybody, or direct.
///
/// Source: REST §8, §9.1.
enum SendRoute {
    /// 201 with the notification's id at the end of `Location`, once the send is durable.
    static func send(_ exchange: Exchange, body: [UInt8]) async throws(RequestFailure) -> Answer {
        let target = exchange.incoming.target
        guard !target.flag("test") else {
            // Delivering to everybody what was meant for ten devices would be worse.
            throw .refused(.invalid(field: "test", reason: "test sends are not available."))
        }
        let request = SendRequest(
            headers: exchange.incoming.headers,
            isDirect: target.flag("direct"),
            body: body
        )
        let draft = try refusing { () throws(Refusal) -> NotificationDraft in
            try SendRules.draft(
                of: request,
                now: exchange.service.now,
                limits: exchange.configuration.limits
            )
        }
        let reply = try await exchange.submit(.send(draft))
        guard case .accepted(let id, let sequence) = reply else { throw .mismatch }
        return Answer(
            status: 201,
            headers: [
                ("Content-Type", Answer.xml),
                ("Location", exchange.location(of: name(id, sequence))),
            ]
        )
    }

    /// 32 hex digits, the time, the place in the log and a partition, which is always 1.
    ///
    /// Source: REST §8.1.
    private static func name(_ id: NotificationID, _ sequence: UInt64) -> String {
        "\(id.text)-\(CivilTime(id.time).compact)-\(sequence)-1"
    }
}
