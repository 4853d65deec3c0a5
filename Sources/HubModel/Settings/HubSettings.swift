package import HubVocabulary

/// An operator's settings for one hub, and the place through which records were purged.
///
/// Durable with the registrations; defaults hold until something was decided. Source: rules B.6, C.8.
package struct HubSettings: Hashable, Sendable {
    /// Seconds a notification lives when its send says nothing.
    package var timeToLiveDefaultSeconds: UInt32
    /// Seconds a notification lives at most, whatever its send says.
    package var retentionSeconds: UInt32
    /// Notifications kept for one absence of a device.
    package var deviceCap: UInt32
    /// Records at or below are not delivered any more; 0 for none.
    package var purgedThrough: UInt64
    /// Bytes of the log above which the operator is told; nothing is removed for it.
    package var logBytesWarned: UInt64

    /// The settings that hold until an operator changes them.
    package init(_ limits: CoreLimits) {
        timeToLiveDefaultSeconds = limits.sends.timeToLiveDefaultSeconds
        retentionSeconds = limits.sends.timeToLiveMaxSeconds
        deviceCap = UInt32(clamping: limits.devices.deviceCap)
        purgedThrough = 0
        logBytesWarned = limits.log.logBytesWarned
    }

    /// Settings of their parts, which are not checked.
    package init(
        timeToLiveDefaultSeconds: UInt32,
        retentionSeconds: UInt32,
        deviceCap: UInt32,
        purgedThrough: UInt64,
        logBytesWarned: UInt64 = CoreLimits.standard.log.logBytesWarned
    ) {
        self.timeToLiveDefaultSeconds = timeToLiveDefaultSeconds
        self.retentionSeconds = retentionSeconds
        self.deviceCap = deviceCap
        self.purgedThrough = purgedThrough
        self.logBytesWarned = logBytesWarned
    }

    /// These settings with a change.
    ///
    /// - Throws: `.invalid` naming the member that is out of its range.
    package func changed(
        by change: HubSettingsChange,
        limits: CoreLimits
    ) throws(Refusal) -> HubSettings {
        var changed = self
        changed.retentionSeconds = try Self.checked(
            change.retentionSeconds,
            "retentionSeconds",
            60...limits.sends.timeToLiveMaxSeconds,
            before: retentionSeconds
        )
        changed.timeToLiveDefaultSeconds = try Self.checked(
            change.timeToLiveSeconds,
            "timeToLiveSeconds",
            1...limits.sends.timeToLiveMaxSeconds,
            before: timeToLiveDefaultSeconds
        )
        changed.deviceCap = try Self.checked(
            change.deviceCap,
            "deviceCap",
            1...UInt32(clamping: limits.devices.deviceCapMax),
            before: deviceCap
        )
        changed.logBytesWarned = try Self.checked(
            change.logBytesWarned,
            "logBytesWarned",
            1_048_576...limits.log.logBytesWarnedMax,
            before: logBytesWarned
        )
        guard changed.timeToLiveDefaultSeconds <= changed.retentionSeconds else {
            throw .invalid(
                field: "timeToLiveSeconds",
                reason: "is more than retentionSeconds, which is \(changed.retentionSeconds)"
            )
        }
        return changed
    }

    private static func checked<Number: FixedWidthInteger>(
        _ value: UInt64?,
        _ name: String,
        _ range: ClosedRange<Number>,
        before: Number
    ) throws(Refusal) -> Number {
        guard let value else { return before }
        guard let number = Number(exactly: value), range.contains(number) else {
            throw .invalid(
                field: name,
                reason: "must be from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }
}
