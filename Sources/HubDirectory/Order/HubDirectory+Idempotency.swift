package import HubModel
package import HubVocabulary

extension HubDirectory {
    /// Milliseconds after which lapsed keys are due to be forgotten.
    static let forgettingMilliseconds: UInt64 = 10_000

    /// Answers a request whose key is known; returns false when the key is new.
    ///
    /// The answer is the first request's reply, or a refusal when that was for another
    /// notification. Within one group the caller of the second request waits until the store has
    /// spoken about the first. When the store cannot say whether a key is new, nothing is sent.
    func answerRepeated(_ key: IdempotencyKey?, _ token: RequestToken, now: Now) -> Bool {
        guard let known = repeated(key, now: now) else { return false }
        switch known {
        case .recorded(let result): answers.append(.recorded(token, result))
        case .changed(let result): answers.append(.changed(token, result))
        case .known(let result): answers.append(.known(token, result))
        case .unread(let refusal): answers.append(.known(token, .failure(refusal)))
        }
        return true
    }

    /// Returns the answer to a request with a known key; nil when the key is new.
    func repeated(_ key: IdempotencyKey?, now: Now) -> SendPromise? {
        guard let key, !limits.planted.has(.duplicateOnRetry) else { return nil }
        if let known = groupKeys[key.scope] {
            let result = reply(to: key, known.stored)
            return known.isRecord ? .recorded(result) : .changed(result)
        }
        do throws(StoreError) {
            let known = try keys.find(key.scope, now: now.time, in: keyStore)
            return known.map { .known(reply(to: key, $0)) }
        } catch {
            actions.append(.event(.readRefused(error)))
            return .unread(error.refusal)
        }
    }

    private func reply(to key: IdempotencyKey, _ known: StoredKey) -> Result<HubReply, Refusal> {
        key.fingerprint == known.key.fingerprint
            || limits.planted.has(.keyForAnyNotification)
            ? .success(known.reply) : .failure(.idempotencyConflict)
    }

    /// Notes a key of the present group.
    func remember(_ key: StoredKey, isRecord: Bool) {
        groupKeys[key.key.scope] = GroupKey(stored: key, isRecord: isRecord)
    }

    /// Keeps the keys of what became durable.
    func settleKeys(of group: CommitGroup, _ added: [ScheduledNotification], areRecordsIn: Bool) {
        groupKeys.removeAll(keepingCapacity: true)
        for key in added.compactMap(\.storedKey) { keys.insert(key) }
        guard areRecordsIn else { return }
        for key in group.records.compactMap(\.storedKey) { keys.insert(key) }
    }

    /// The time before which the store may forget keys; nil while that is not due.
    package func keysDue(now: Now) -> Timestamp? {
        guard now.instant >= scheduling.nextForgetting else { return nil }
        let wait = Self.forgettingMilliseconds
        scheduling.nextForgetting = now.instant.adding(milliseconds: wait)
        keys.forget(now: now.time)
        let kept = limits.idempotencyKeptSeconds * 1_000
        return now.time.milliseconds > kept
            ? Timestamp(milliseconds: now.time.milliseconds - kept) : nil
    }

    /// The store has forgotten keys; when more are left it is due again at once.
    package func keysForgotten(hasMore: Bool, now: Now) {
        if hasMore { scheduling.nextForgetting = now.instant }
    }

    /// The store refused to forget keys: it will be due again.
    package func forgettingFailed(_ error: StoreError) {
        actions.append(.event(.forgettingRefused(error)))
    }
}
