import GRDB
import HubModel
import HubVocabulary

/// A registration as the file keeps it.
struct RegistrationRow {
    var registration: Registration
    /// 0 while it lives; in a tombstone the place in the log from which it was gone.
    var deleted: UInt64

    /// Handle, device and slot are for the indexes, and for people who look into the file.
    static let table = StoredTable<RegistrationRow>(
        "registration",
        of: "registration",
        [
            .integer("rid", "PRIMARY KEY"), .bytes("regid"), .bytes("handle", isChecked: false),
            .bytes("device", "", isChecked: false), .integer("slot", "", isChecked: false),
            .integer("deleted"), .bytes("body"),
        ],
        indexes: """
            CREATE INDEX registration_deleted ON registration(regid) WHERE deleted > 0;
            CREATE INDEX registration_left ON registration(device) WHERE deleted > 0;
            CREATE INDEX registration_gone ON registration(deleted) WHERE deleted > 0;
            """,
        encode: { row in
            let registration = row.registration
            let target = registration.target
            return [
                .integer(UInt64(registration.number.raw)), .bytes(registration.id),
                .bytes(registration.content.handle),
                target.map { .bytes($0.device.stored) } ?? .null,
                target.map { .integer(UInt64($0.slot)) } ?? .null,
                .integer(row.deleted), .bytes(RegistrationCodec.encode(registration)),
            ]
        },
        decode: { row in
            RegistrationRow(
                registration: try row.reading(bodyColumn, RegistrationCodec.decode),
                deleted: UInt64(bitPattern: row[deletedColumn])
            )
        },
        audit: { row, read in
            let registration = read.registration
            let (id, handle) = (try row.bytes(at: 1), try row.bytes(at: 2))
            let device = try row.bytes(at: 3)
            let slot: Int64? = row[4]
            return Int64(registration.number.raw) == row[0] && registration.id == id
                && handle == registration.content.handle
                && device == registration.target?.device.stored ?? []
                && slot == registration.target.map { Int64($0.slot) }
        }
    )

    private static let deletedColumn = 5
    static let bodyColumn = 6
}
