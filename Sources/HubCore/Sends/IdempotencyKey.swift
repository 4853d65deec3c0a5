import Crypto

/// Sixteen bytes of a SHA-256: what is compared instead of what a caller wrote.
package struct KeyHash: Hashable, Sendable {
    /// Bytes 0..7, big-endian.
    package var high: UInt64
    /// Bytes 8..15, big-endian.
    package var low: UInt64

    /// Makes a hash of its two halves.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The first half of the SHA-256 of some bytes.
    package init(of bytes: [UInt8]) {
        let digest = Array(SHA256.hash(data: bytes))
        self.init(high: UInt64(bigEndian: digest), low: UInt64(bigEndian: digest.dropFirst(8)))
    }
}

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

    /// The key of a request that was checked; nil when it brings none.
    ///
    /// What decides a notification is taken from the draft, so the order and spelling of headers
    /// do not matter, nor does what every try has anew: tokens, tracking ids, the boundary of a
    /// multipart body. An expiry counts as it was said, not as the seconds that were left.
    /// - Throws: `.invalid` for a key that is there twice, is empty or has more than 64 bytes.
    init?(
        of request: SendRequest,
        draft: NotificationDraft,
        expiry: SendExpiry,
        due: Timestamp?,
        limits: CoreLimits
    ) throws(Refusal) {
        guard let key = try Self.value(of: request, limits: limits) else { return nil }
        var scope: [UInt8] = []
        scope.appendBigEndian(UInt32(request.rule.utf8.count))
        scope += Array(request.rule.utf8) + key
        self.init(
            scope: KeyHash(of: scope),
            fingerprint: Self.fingerprint(draft: draft, expiry: expiry, due: due)
        )
    }

    /// The key that a request names; nil when it brings none.
    ///
    /// - Throws: `.invalid` for a key that is there twice, is empty or too long.
    static func value(
        of request: SendRequest,
        limits: CoreLimits
    ) throws(Refusal) -> [UInt8]? {
        let header = SendHeader.idempotencyKey
        let given = request.headers.filter { ASCII.equal($0.name, header.rawValue.utf8) }
        guard let first = given.first else { return nil }
        guard given.count == 1 else {
            throw .invalid(field: header.spelling, reason: "is there more than once")
        }
        let key = ASCII.trimmed(first.value)
        guard (1...limits.idempotencyKeyBytesMax).contains(key.count) else {
            throw .invalid(
                field: header.spelling,
                reason: "must have 1 to \(limits.idempotencyKeyBytesMax) bytes"
            )
        }
        return key
    }

    private static func fingerprint(
        draft: NotificationDraft,
        expiry: SendExpiry,
        due: Timestamp?
    ) -> KeyHash {
        var decided = draft
        decided.contentType = []
        decided.timeToLive = .transient
        let record = NotificationRecord(
            sequence: 0,
            id: NotificationID(high: 0, low: 0),
            draft: decided,
            properties: nil
        )
        var bytes = NotificationCodec.encode(record)
        bytes.append(due == nil ? 0 : 1)
        bytes.appendBigEndian(due?.milliseconds ?? 0)
        switch expiry {
        case .none: bytes.append(0)
        case .now: bytes.append(1)
        case .seconds(let seconds):
            bytes.append(2)
            bytes.appendBigEndian(seconds)
        case .at(let time):
            bytes.append(3)
            bytes.appendBigEndian(time.milliseconds)
        }
        return KeyHash(of: bytes)
    }
}

/// A key with what it stands for, as it is remembered for 24 hours.
///
/// Source: rules B.14.
package struct StoredKey: Hashable, Sendable {
    /// What the first request with the key became.
    package enum Outcome: Hashable, Sendable {
        /// A record of the log.
        case sent(NotificationID, sequence: UInt64)
        /// A scheduled notification, fired or not.
        case scheduled(ScheduleID)
    }

    /// The key and its fingerprint.
    package var key: IdempotencyKey
    /// What it became.
    package var outcome: Outcome
    /// When it was accepted.
    package var time: Timestamp

    /// Makes a key with its outcome.
    package init(key: IdempotencyKey, outcome: Outcome, time: Timestamp) {
        self.key = key
        self.outcome = outcome
        self.time = time
    }

    /// What a caller with the same key and fingerprint is told.
    var reply: HubReply {
        switch outcome {
        case .sent(let id, let sequence): .accepted(id, sequence: sequence)
        case .scheduled(let id): .scheduled(id)
        }
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
