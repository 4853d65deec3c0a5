/// An operator's changes to the settings; nil leaves a value as it is.
package struct HubSettingsChange: Hashable, Sendable {
    /// Seconds a notification lives when its send says nothing.
    package var timeToLiveSeconds: UInt64?
    /// Seconds a notification lives at most.
    package var retentionSeconds: UInt64?
    /// Notifications kept for one absence of a device.
    package var deviceCap: UInt64?
    /// Bytes of the log above which the operator is told.
    package var logBytesWarned: UInt64?

    /// Changes nothing yet.
    package init() {}
}
