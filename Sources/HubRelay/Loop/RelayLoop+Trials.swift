import HubModel
import HubVocabulary

// Trials: requests beside the lane's own, with a caller who waits.
extension RelayLoop {
    /// Makes a trial's request, or lets it wait for an access token.
    mutating func take(
        _ trial: AwaitedTrial,
        tokens: inout AppleTokens,
        host: inout some RelayHost,
        now: Now
    ) {
        do throws(RelayVerdict) {
            let request: RelayRequest?
            let notification: RelayNotification
            switch trial.subject {
            case .credential:
                if let answer = CredentialTrial.answer(entry.credential) {
                    return trial.reply(answer)
                }
                let made = try flight(CredentialTrial.draft(entry.credential), nil, now: now.time)
                notification = made.notification
                request = try self.request(made, tokens: &tokens, host: &host, now: now.time)
                    .map(CredentialTrial.harmless)
            case .notification(let draft, let handle, let registration):
                let made = try flight((draft, handle), registration, now: now.time)
                notification = made.notification
                request = try self.request(made, tokens: &tokens, host: &host, now: now.time)
            }
            guard let request else { return postpone(trial, now: now.instant) }
            try request.head.requirePlain()
            let credential = entry.credential
            host.send(request) { found in
                let verdict =
                    switch found {
                    case .success(let answer):
                        credential.meaning(of: answer, to: notification, now: now.time)
                    case .failure(let verdict): verdict
                    }
                trial.reply(trial.answer(verdict))
            }
        } catch { trial.reply(trial.answer(error)) }
    }

    /// Lets a trial wait for an access token, unless the endpoint has just given none.
    private mutating func postpone(_ trial: AwaitedTrial, now: Instant) {
        guard case .access(let source) = authorization.way, source.rests(now: now) else {
            return trials.append(trial)
        }
        if case .credential(let outcome, let reason)? = lane.cause {
            trial.reply(.refused(outcome, reason))
        } else {
            trial.reply(.unanswered(lane.cause?.sentence ?? "no access token"))
        }
    }

    /// Trials that waited for an access token: it is there, or there is none.
    mutating func releaseTrials(
        _ refusal: RelayVerdict?,
        tokens: inout AppleTokens,
        host: inout some RelayHost,
        now: Now
    ) {
        let waited = trials
        trials = []
        for trial in waited {
            if let refusal {
                trial.reply(trial.answer(refusal))
            } else {
                take(trial, tokens: &tokens, host: &host, now: now)
            }
        }
    }

    /// - Throws: the verdict on a handle that no service may see, or on a template.
    private mutating func flight(
        _ sent: (draft: NotificationDraft, handle: [UInt8]),
        _ registration: Registration?,
        now: Timestamp
    ) throws(RelayVerdict) -> RelayFlight {
        let id = NotificationID(high: 0, low: 0)
        let record = NotificationRecord(sequence: 0, id: id, draft: sent.draft)
        let identifier = RelayIdentifier(
            hub: hub,
            place: LogPlace(epoch: epoch, sequence: 0),
            registration: registration?.number ?? RegistrationNumber(0)
        )
        let notification: RelayNotification
        if let registration {
            let row = RelayRow(registration, generation: 0)
            let made = RelayNotification(record, to: row, in: hub, epoch: epoch)
            guard let made else {
                throw RelayVerdict(.content, .invalidNotificationFormat, "the template")
            }
            notification = made
        } else {
            notification = RelayNotification(record, identifier)
        }
        let fields = registration?.content.platformFields ?? []
        let verdict = verdict(sent.handle, fields, generation: 0)
        guard case .foreign(let handle) = verdict else {
            throw RelayVerdict(.content, .badChannel, verdict.refusal)
        }
        var made = notification
        // A trial is now or soon: the record of a test has no time of its own.
        made.lifetime = Lifetime(expires: now.adding(seconds: 60), isTransient: false)
        return RelayFlight(
            notification: made,
            handle: handle,
            modified: now,
            version: nil,
            sharesContent: false
        )
    }
}
