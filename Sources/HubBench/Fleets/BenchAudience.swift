/// Who should receive a notification.
struct BenchAudience: Sendable {
    /// How many devices.
    let count: Int
    /// Whether a device is among them, by its number.
    let holds: @Sendable (Int) -> Bool

    /// One device.
    static func one(_ device: Int) -> BenchAudience {
        BenchAudience(count: 1) { $0 == device }
    }

    /// Some devices, in ascending order.
    static func some(_ devices: [Int]) -> BenchAudience {
        let members = Set(devices)
        return BenchAudience(count: members.count) { members.contains($0) }
    }
}
