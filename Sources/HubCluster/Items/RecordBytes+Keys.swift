import HubModel
import HubVocabulary

extension RecordWriter {
    /// An identifier of 16 bytes.
    mutating func id(_ high: UInt64, _ low: UInt64) {
        integer(high)
        integer(low)
    }

    /// Scope and fingerprint.
    mutating func key(_ key: IdempotencyKey) {
        id(key.scope.high, key.scope.low)
        id(key.fingerprint.high, key.fingerprint.low)
    }
}

extension RecordReader {
    /// Half of an idempotency key.
    mutating func hash() throws(RecordProblem) -> KeyHash {
        let high = try integer(UInt64.self)
        return KeyHash(high: high, low: try integer())
    }

    /// Scope and fingerprint.
    mutating func key() throws(RecordProblem) -> IdempotencyKey {
        let scope = try hash()
        return IdempotencyKey(scope: scope, fingerprint: try hash())
    }
}
