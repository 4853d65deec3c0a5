package import HubModel
package import HubVocabulary

extension HubDirectory {
    /// Answers a request whose key is known: with the first one's reply, or with a refusal when it
    /// was for another notification; false when the key is new.
    ///
    /// A repeat of a request of the same group hears what the first one hears once the store
    /// has spoken. When the store cannot say whether a key is new, nothing is sent.
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
        do throws(StoreError) {
            guard let known = try sends.find(key, now: now.time) else { return nil }
            let result: Result<HubReply, Refusal> =
                known.outcome.map { .success($0.reply) } ?? .failure(.idempotencyConflict)
            return switch known.needs {
            case .records: .recorded(result)
            case .changes: .changed(result)
            case .nothing: .known(result)
            }
        } catch {
            actions.append(.event(.readRefused(error)))
            return .unread(error.refusal)
        }
    }

    /// The time before which the store may forget keys; nil while that is not due.
    package func keysDue(now: Now) -> Timestamp? { sends.forgettingDue(now: now) }

    /// The store has forgotten keys; when more are left it is due again at once.
    package func keysForgotten(hasMore: Bool, now: Now) {
        if hasMore { sends.hasMoreToForget(now: now) }
    }

    /// The store refused to forget keys: it will be due again.
    package func forgettingFailed(_ error: StoreError) {
        actions.append(.event(.forgettingRefused(error)))
    }
}
