/// Limits of idempotency keys.
package struct IdempotencyLimits: Equatable, Sendable {
    /// Bytes of an `Idempotency-Key`.
    ///
    /// Source: rules B.14.
    package var idempotencyKeyBytesMax = 64
    /// Seconds for which an idempotency key is kept: 24 hours.
    ///
    /// Source: rules B.14.
    package var idempotencyKeptSeconds: UInt64 = 86_400
    /// Idempotency keys of one hub in memory, the newest ones; older ones are looked up in the
    /// store.
    package var idempotencyKeysMax = 262_144
    /// Older keys of one hub that memory knows by two bytes each, which tell most new keys from them.
    package var idempotencyKeysFilteredMax = 33_554_432

    /// The defaults.
    package init() {}
}
