import HubVocabulary

/// A caller's word that requests with the same key mean the same notification.
///
/// Source: rules B.14.
package struct IdempotencyKey: Hashable, Sendable {
    /// Of the access rule's name and the key: the same key under another rule is another one.
    package var scope: KeyHash
    /// Of everything that decides the notification; two requests with one scope must agree in it.
    package var fingerprint: KeyHash

    /// Makes a key of its parts.
    package init(scope: KeyHash, fingerprint: KeyHash) {
        self.scope = scope
        self.fingerprint = fingerprint
    }
}

extension NotificationRecord {
    /// The idempotency key that goes into the log with this record; nil when it has none.
    package var storedKey: StoredKey? {
        draft.idempotency.map { key in
            let outcome = schedule.map { StoredKey.Outcome.scheduled($0) }
            return StoredKey(
                key: key,
                outcome: outcome ?? .sent(id, sequence: sequence),
                time: id.time
            )
        }
    }
}
