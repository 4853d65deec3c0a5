package import HubVocabulary

/// Looks up idempotency keys and schedules in the store; used by the hub's writer thread alone.
package protocol KeyReading: AnyObject {
    /// The newest record or schedule with a key, however long ago; nil when there is none or it
    /// was forgotten.
    func key(_ scope: KeyHash) throws(StoreError) -> StoredKey?

    /// The place of the record that a scheduled notification became; nil when the log has none.
    func sequence(of schedule: ScheduleID) throws(StoreError) -> UInt64?
}
