/// How often a memory store was read; more than one that caches needs is a fault of its reader.
package struct MemoryReads: Sendable {
    /// Registrations by number.
    package var registrations = 0
    /// Idempotency keys.
    package var keys = 0
    /// Pages of the journal of departures.
    package var departures = 0
}
