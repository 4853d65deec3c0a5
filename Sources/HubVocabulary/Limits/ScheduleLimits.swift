/// Limits of scheduled sends.
package struct ScheduleLimits: Equatable, Sendable {
    /// Seconds by which a send may be scheduled ahead: 7 days.
    ///
    /// Source: REST reference §11.
    package var scheduleHorizonSeconds: UInt64 = 604_800
    /// Scheduled notifications of one hub that wait.
    package var schedulesMax = 100_000
    /// Bytes of their payloads and headers, each counted with 512 bytes more: they wait in memory.
    package var scheduleBytesMax = 134_217_728
    /// Cancelled ones whose telemetry is kept, the newest.
    package var cancelledKeptMax = 1_000
    /// Scheduled notifications of one page of a list.
    package var pageSchedulesMax = 100

    /// The defaults.
    package init() {}
}
