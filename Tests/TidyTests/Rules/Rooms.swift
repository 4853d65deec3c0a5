/// Which folder of a target may use which: only those that stand before it in the row.
///
/// `.` is what stands beside the folders.
enum Rooms {
    static let file = "Tests/TidyTests/Rules/Rooms.swift"

    static let rows: [String: [String]] = [
        "DeviceEmulator": [".", "Phone", "App"],
        "HubWire": [".", "Frames"],
    ]

    /// An arrow up that stays, and why; at most five.
    struct Exception {
        let target: String
        let from: String
        let to: String
        let reason: String
    }

    static let exceptions: [Exception] = []
}
