/// What an operator decided for one hub, and what was purged.
///
/// Durable with the registrations; defaults hold until something was decided. Source: rules B.6, C.8.
package struct HubSettings: Hashable, Sendable {
    /// Seconds a notification lives when its send says nothing.
    package var timeToLiveDefaultSeconds: UInt32
    /// Seconds a notification lives at most, whatever its send says.
    package var retentionSeconds: UInt32
    /// Notifications kept for one absence of a device.
    package var deviceCap: UInt32
    /// Records at or below are given to nobody any more; 0 for none.
    package var purgedThrough: UInt64
    /// Bytes of the log above which the operator is told; nothing is removed for it.
    package var logBytesWarned: UInt64

    /// What holds until an operator decides.
    package init(_ limits: CoreLimits) {
        timeToLiveDefaultSeconds = limits.timeToLiveDefaultSeconds
        retentionSeconds = limits.timeToLiveMaxSeconds
        deviceCap = UInt32(clamping: limits.deviceCap)
        purgedThrough = 0
        logBytesWarned = limits.logBytesWarned
    }

    /// Settings of their parts, which are not checked.
    package init(
        timeToLiveDefaultSeconds: UInt32,
        retentionSeconds: UInt32,
        deviceCap: UInt32,
        purgedThrough: UInt64,
        logBytesWarned: UInt64 = CoreLimits.standard.logBytesWarned
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
            60...limits.timeToLiveMaxSeconds,
            before: retentionSeconds
        )
        changed.timeToLiveDefaultSeconds = try Self.checked(
            change.timeToLiveSeconds,
            "timeToLiveSeconds",
            1...limits.timeToLiveMaxSeconds,
            before: timeToLiveDefaultSeconds
        )
        changed.deviceCap = try Self.checked(
            change.deviceCap,
            "deviceCap",
            1...UInt32(clamping: limits.deviceCapMax),
            before: deviceCap
        )
        changed.logBytesWarned = try Self.checked(
            change.logBytesWarned,
            "logBytesWarned",
            1_048_576...limits.logBytesWarnedMax,
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

/// What an operator wants otherwise; nil leaves as it is.
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

/// How far a purge goes.
package enum PurgeExtent: Hashable, Sendable {
    /// Everything at or below this place that is in the log now.
    case through(UInt64)
    /// Everything that was accepted before this time.
    case before(Timestamp)
}

/// Settings as a store keeps them; reads exactly what it writes.
///
///     | format: u8 = 1 | default time to live: u32 | retention: u32 | device cap: u32
///     | purged through: u64 | log bytes warned: u64 |
///
/// Integers are big-endian.
package enum HubSettingsCodec {
    /// The first byte of what is written.
    package static let format: UInt8 = 1

    /// The bytes of settings.
    package static func encode(_ settings: HubSettings) -> [UInt8] {
        var writer = RecordWriter(format: format, capacity: 29)
        writer.integer(settings.timeToLiveDefaultSeconds)
        writer.integer(settings.retentionSeconds)
        writer.integer(settings.deviceCap)
        writer.integer(settings.purgedThrough)
        writer.integer(settings.logBytesWarned)
        return writer.bytes
    }

    /// The settings of some bytes.
    ///
    /// - Throws: what is wrong with the bytes. Never traps, whatever they are.
    package static func decode(_ bytes: Span<UInt8>) throws(RecordProblem) -> HubSettings {
        var reader = try RecordReader(bytes, format: format)
        let settings = HubSettings(
            timeToLiveDefaultSeconds: try reader.integer(),
            retentionSeconds: try reader.integer(),
            deviceCap: try reader.integer(),
            purgedThrough: try reader.integer(),
            logBytesWarned: try reader.integer()
        )
        try reader.expectEnd()
        return settings
    }
}
