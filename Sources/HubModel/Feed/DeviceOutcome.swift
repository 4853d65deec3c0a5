package import HubWire

/// The answer to a device's request; becomes RESULT.
package struct DeviceOutcome: Sendable {
    /// nil is success.
    package var error: ErrorNumber?
    /// The slot it is about.
    package var slot: UInt16
    /// Covers the device's own slots; 0 when it has none.
    package var etag: UInt64
    /// Seconds until the slot lapses; 0 for never.
    package var expiresSeconds: UInt32
    /// Tags now set on the slot.
    package var applied: UInt16
    /// Milliseconds to wait before repeating.
    package var retryAfterMilliseconds: UInt32
    /// At most 200 bytes, for logs.
    package var detail: String

    /// Makes an outcome.
    package init(
        error: ErrorNumber? = nil,
        slot: UInt16,
        etag: UInt64 = 0,
        expiresSeconds: UInt32 = 0,
        applied: UInt16 = 0,
        retryAfterMilliseconds: UInt32 = 0,
        detail: String = ""
    ) {
        self.error = error
        self.slot = slot
        self.etag = etag
        self.expiresSeconds = expiresSeconds
        self.applied = applied
        self.retryAfterMilliseconds = retryAfterMilliseconds
        self.detail = detail
    }
}
