import HubModel
import HubVocabulary

extension IdempotencyKey {
    /// The key of a request that was checked; nil when it brings none.
    ///
    /// Its fingerprint is made of the checked draft, so the order and spelling of headers do not
    /// matter. Values that each try has anew do not matter either: tokens, tracking ids, the
    /// boundary of a multipart body. An expiry counts as the client wrote it, not as the seconds
    /// that were left.
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
        guard (1...limits.idempotency.idempotencyKeyBytesMax).contains(key.count) else {
            throw .invalid(
                field: header.spelling,
                reason: "must have 1 to \(limits.idempotency.idempotencyKeyBytesMax) bytes"
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
            draft: decided
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
