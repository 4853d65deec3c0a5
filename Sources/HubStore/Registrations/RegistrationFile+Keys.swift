import GRDB
import HubModel
import HubVocabulary

// Key generations of devices: one row for each that has one above 0.
extension RegistrationFile {
    static let deviceTable = StoredTable<(device: DeviceID, generation: UInt32)>(
        "device",
        of: "device keys",
        [.bytes("id", "PRIMARY KEY"), .integer("generation")],
        isWithoutRowID: true,
        encode: { key in [.bytes(key.device.stored), .integer(UInt64(key.generation))] },
        decode: { row in
            guard let device = DeviceID(stored: try row.bytes(at: 0)),
                let generation = UInt32(exactly: row[1] as Int64)
            else { throw RecordProblem.badField("device") }
            return (device, generation)
        },
        audit: { _, key in key.generation > 0 }
    )

    /// Calls `body` with the key generation of every device that has one above 0.
    func forEachRevocation(_ body: (DeviceID, UInt32) -> Void) throws(StoreError) {
        try file.forEach(Self.deviceTable, "ORDER BY id") { body($0.device, $0.generation) }
    }
}
