package import HubModel
package import HubVocabulary

/// Turns a send for later into what the hub keeps, or says what is wrong with it.
///
/// Source: REST §11.
package enum ScheduleRules {
    /// Checks a send completely, so that nothing is left to refuse when its time comes.
    ///
    /// - Throws: what `SendRules.draft` throws; `.invalid` for a direct send, and for a schedule
    ///   time that is missing, cannot be read or is too far ahead.
    package static func request(
        of request: SendRequest,
        now: Timestamp,
        limits: CoreLimits = .standard
    ) throws(Refusal) -> ScheduleRequest {
        guard try !request.goesToHandles else {
            throw .invalid(
                field: "direct",
                reason: "a scheduled notification goes by tags or to everybody"
            )
        }
        let due = try due(of: request, now: now, limits: limits)
        let checked = try SendRules.check(request, now: now, due: due, limits: limits)
        var notAfter: Timestamp?
        if case .at(let time) = checked.expiry { notAfter = time }
        return ScheduleRequest(draft: checked.draft, due: due, notAfter: notAfter)
    }

    private static func due(
        of request: SendRequest,
        now: Timestamp,
        limits: CoreLimits
    ) throws(Refusal) -> Timestamp {
        let field = SendHeader.scheduleTime.spelling
        guard let text = try request.value(of: .scheduleTime) else {
            throw .invalid(field: field, reason: "is missing")
        }
        guard case .time(let due) = TimeText.parse(text.span) else {
            throw .invalid(
                field: field,
                reason: "is no date and time such as 2026-05-06T18:30:00, which is read as UTC"
            )
        }
        guard due <= now.adding(seconds: limits.schedules.scheduleHorizonSeconds) else {
            throw .invalid(
                field: field,
                reason:
                    "is more than \(limits.schedules.scheduleHorizonSeconds / 3_600) hours ahead"
            )
        }
        return due
    }
}
