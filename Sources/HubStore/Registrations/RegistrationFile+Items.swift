import GRDB
import HubCluster
import HubModel

// Only the copy of a database has these: how far it is, and rows that come from items.
extension RegistrationFile {
    /// The last group whose changes are there; no row while the file is being filled.
    static let feedTable = StoredTable<UInt64>(
        "copy",
        of: "place of the copy",
        [.one, .integer("feed")],
        hasChecksum: false,
        encode: { feed in [.integer(1), .integer(feed)] },
        decode: { row in UInt64(bitPattern: row[1]) },
        audit: { row, _ in row[0] as Int64 == 1 && row[1] as Int64 >= 0 }
    )

    /// The last changes that are there, by which the copy knows its history again.
    static let lastChangeTable = StoredTable<ChangeMark>(
        "last_change",
        of: "last changes of the copy",
        [.one, .integer("number"), .integer("sum")],
        hasChecksum: false,
        encode: { [.integer(1), .integer($0.number), .integer(UInt64($0.checksum))] },
        decode: { row in
            let checksum = UInt32(truncatingIfNeeded: row[2] as Int64)
            return ChangeMark(number: UInt64(bitPattern: row[1]), checksum: checksum)
        },
        audit: { row, _ in row[0] as Int64 == 1 && row[1] as Int64 >= 0 }
    )

    /// Makes the tables in a file that has none; refuses it where the file is to be the truth.
    static func prepare(
        _ file: SQLiteFile,
        keeping: Durability
    ) throws(StoreError) {
        let isCopy = try file.accessing { try $0.tableExists(feedTable.name) }
        switch keeping {
        case .durable:
            guard !isCopy else {
                throw .cannotOpen(path: file.path, reason: "is a copy of what a database holds")
            }
        case .cache:
            let isNew = try file.accessing { try !$0.tableExists(lastChangeTable.name) }
            guard !isCopy || isNew else { return }
            try file.writing { database in
                if !isCopy { try database.execute(sql: feedTable.creation) }
                if isNew { try database.execute(sql: lastChangeTable.creation) }
            }
        }
    }

    /// The last group whose changes are there; nil for a file that is not filled.
    func feed() throws(StoreError) -> UInt64? { try file.first(Self.feedTable) }

    /// The last changes that are there; nil where that is not known.
    func lastChange() throws(StoreError) -> ChangeMark? { try file.first(Self.lastChangeTable) }

    /// Notes which changes were the last.
    func setLastChange(_ mark: ChangeMark) throws(StoreError) {
        try file.writing { try Self.lastChangeTable.insert(mark, in: $0, replacing: true) }
    }

    /// Makes a copy the truth, as far as it has come.
    func forgetFeed() throws(StoreError) {
        try file.writing { database in
            for name in [Self.feedTable.name, Self.lastChangeTable.name] {
                try database.execute(sql: "DROP TABLE \(name)")
            }
        }
    }

    /// Adds what items stand for, as one transaction.
    func insert(_ values: [ItemValue]) throws(StoreError) {
        guard !values.isEmpty else { return }
        try file.writing { database in
            for value in values { try Self.insert(value, in: database) }
        }
    }

    private static func insert(_ value: ItemValue, in database: Database) throws {
        switch value {
        case .registration(let registration):
            let row = RegistrationRow(registration: registration, deleted: 0)
            try RegistrationRow.table.insert(row, in: database)
        case .tombstone(let registration, let gone):
            let row = RegistrationRow(registration: registration, deleted: gone)
            try RegistrationRow.table.insert(row, in: database)
        case .installation(let installation):
            try installationTable.insert(installation, in: database)
        case .schedule(let schedule): try scheduleTable.insert(schedule, in: database)
        case .scheduleKey(let key, let id):
            try ScheduleKey.table.insert(ScheduleKey(key: key, id: id), in: database)
        case .cancelled(let schedule): try cancelledTable.insert(schedule, in: database)
        case .generation(let device, let generation):
            try deviceTable.insert((device, generation), in: database)
        case .settings(let settings): try settingsTable.insert(settings, in: database)
        case .job(let job): try jobTable.insert(job, in: database)
        case .departure(let row): try departureTable.insert(row, in: database)
        }
    }
}
