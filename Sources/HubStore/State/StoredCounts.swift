import HubModel

/// The counts of one notification on one platform, by the kind's number.
struct StoredCounts {
    var sequence: UInt64
    /// The platform's number; `noPlatform` stands for the whole notification.
    var platform: UInt8
    var counts = SIMD32<UInt64>()

    static let noPlatform: UInt8 = 255
    /// A count of 8 bytes for each kind that there may be.
    static let bytes = TelemetryKind.places * 8
}
