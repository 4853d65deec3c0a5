import CommandTerminal

/// A device as a hub describes it.
struct FoundDevice: Decodable {
    var acknowledged: UInt64
    var behind: UInt64
    var device: String
    var keyGeneration: UInt32
    var lastSeen: String
    var registrations: Int
    var state: String

    /// A table of devices without lines.
    static var table: TextTable {
        TextTable("device", "state", "last seen", "behind", "registrations", "revoked")
    }

    func add(to table: inout TextTable) {
        table.add(
            device,
            state,
            Row.second(lastSeen),
            "\(behind)",
            "\(registrations)",
            "\(keyGeneration)"
        )
    }
}
