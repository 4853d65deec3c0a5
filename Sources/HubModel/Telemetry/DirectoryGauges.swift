/// The sizes of a directory at one moment, for operators.
package struct DirectoryGauges: Hashable, Sendable {
    /// The lanes to push services.
    package var relays: [RelayReport] = []
    /// Live registrations.
    package var registrations: Int = 0
    /// Live installations.
    package var installations: Int = 0
    /// Live registrations with a handle that no device of this hub has.
    package var unknownHandles: Int = 0
    /// Live registrations whose stored template no longer compiles.
    package var undeliverable: Int = 0
    /// Devices that registered or acknowledged something.
    package var devices: Int = 0
    /// Of these, devices with a session.
    package var sessions: Int = 0
    /// Different tags.
    package var tags: Int = 0
    /// Scheduled notifications that wait, and those that have fired and are not removed yet.
    package var schedules: Int = 0
    /// Idempotency keys in memory.
    package var idempotencyKeys: Int = 0
    /// Entries of the queues of what lapses; at most about twice what can lapse.
    package var lapses: Int = 0
    /// Requests that wait for the writer.
    package var waiting: Int = 0
    /// The lowest sequence number of the log.
    package var logFirst: UInt64 = 0
    /// The highest one.
    package var logHead: UInt64 = 0
    /// Bytes of the log's files, about, when the store was last asked for housekeeping.
    package var logBytes = 0
    /// How many records the devices' cursors are behind the head, on average; by these numbers
    /// catching up is long or short.
    package var cursorLagMean: UInt64 = 0

    /// All zero.
    package init() {}
}
