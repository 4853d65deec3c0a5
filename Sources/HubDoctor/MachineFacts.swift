/// The machine that a hub runs on.
package struct MachineFacts: Sendable {
    /// Files that the hub's process may open.
    package var openFilesMax: Int?
    /// Bytes of memory that its control group allows; nil for no limit.
    package var memoryBytesMax: Int?
    /// Connections that may wait to be accepted.
    package var acceptQueueMax: Int?
    /// Whether the clock follows others.
    package var isClockSynchronised: Bool?
    /// The error with which the system refuses io_uring; nil when it takes it.
    package var ringError: Int?

    /// Knows nothing.
    package init() {}
}
