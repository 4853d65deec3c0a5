package import HubVocabulary

/// The directory's view of the store's past, on the writer's thread, for telemetry and
/// explanations.
package protocol HistoryReading: AnyObject {
    /// The counters of one notification, as far as they are durable.
    func counters(of sequence: UInt64) throws(StoreError) -> [CounterDelta]

    /// Deleted registrations with an external id, the newest first; templates are not compiled.
    func deletedRegistrations(id: [UInt8]) throws(StoreError) -> [Registration]

    /// Deleted registrations that led to a device, the newest first; templates are not compiled.
    func deletedRegistrations(of device: DeviceID) throws(StoreError) -> [Registration]

    /// Registrations that were deleted behind a place in the log, those that went first first, at
    /// most `limit`; templates are not compiled.
    func deletedRegistrations(
        since sequence: UInt64,
        limit: Int
    ) throws(StoreError) -> [Registration]
}
