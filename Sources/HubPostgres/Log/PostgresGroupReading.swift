package import HubCluster
package import HubModel
import HubVocabulary
import Synchronization

/// Reads of one hub in PostgreSQL, for copies; threads wait for each other.
package final class PostgresGroupReading: GroupReading {
    private let hub: Int64
    private let database: PostgresDatabase
    private let limits: PostgresLogLimits
    private let connection = Mutex<PostgresConnection?>(nil)

    init(hub: Int64, database: PostgresDatabase, limits: PostgresLogLimits) {
        self.hub = hub
        self.database = database
        self.limits = limits
    }

    package func place() throws(StoreError) -> GroupPlace? {
        let rows = try snapshot([])
        return try decoded { () throws(PostgresError) in try HeadRow.place(rows[1], rows[2]) }
    }

    package func groups(
        after copy: CopyPlace,
        bytesMax: Int
    ) throws(StoreError) -> GroupsRead {
        func page(_ statement: PostgresStatement, behind place: UInt64) -> PostgresCommand {
            PostgresCommand(statement) { [hub, limits] values in
                values.append(hub)
                values.append(place)
                values.append(UInt64(max(0, bytesMax)))
                values.append(UInt64(limits.rowsPerPage))
            }
        }
        let rows = try snapshot([
            page(ReadStatements.records, behind: copy.head),
            PostgresCommand(ReadStatements.lastRecords) { [hub] in $0.append(hub) },
            page(ReadStatements.changes, behind: copy.feed),
            PostgresCommand(ReadStatements.lastChanges) { [hub] in $0.append(hub) },
        ])
        return try decoded { () throws(PostgresError) in
            guard let place = try HeadRow.place(rows[1], rows[2]) else {
                throw .shape("no row of hub \(hub)")
            }
            let groups = try GroupRows(
                records: rows[3],
                lastRecords: rows[4],
                changes: rows[5],
                lastChanges: rows[6]
            )
            return GroupsRead(place: place, groups: groups.joined)
        }
    }

    package func items(
        _ body: (StoredItem) throws(StoreError) -> Void
    ) throws(StoreError) -> GroupPlace {
        let connection = try decoded { () throws(PostgresError) in
            try database.connect(preparing: ReadStatements.all)
        }
        defer { connection.close() }
        let place = try decoded { () throws(PostgresError) in
            let rows = try connection.run([
                PostgresCommand(ReadStatements.begin),
                PostgresCommand(HeadRow.read) { $0.append(hub) },
                PostgresCommand(HeadRow.epochs) { $0.append(hub) },
            ])
            return try HeadRow.place(rows[1], rows[2])
        }
        guard let place else { throw .corrupted("the database has no row of hub \(hub)") }
        var last: (kind: UInt64, key: [UInt8]) = (0, [])
        while true {
            let page = try decoded { () throws(PostgresError) in
                let read = PostgresCommand(ReadStatements.items) { values in
                    values.append(hub)
                    values.append(last.kind)
                    values.append(last.key)
                    values.append(UInt64(limits.rowsPerPage))
                }
                return try connection.run(read).storedItems()
            }
            for item in page { try body(item) }
            guard let end = page.last else { return place }
            last = (UInt64(end.key.kind.rawValue), end.key.bytes)
        }
    }

    /// Reads the row `head`, the epochs and more as of one moment.
    private func snapshot(
        _ commands: [PostgresCommand]
    ) throws(StoreError) -> [PostgresRows] {
        let all =
            [
                PostgresCommand(ReadStatements.begin),
                PostgresCommand(HeadRow.read) { $0.append(hub) },
                PostgresCommand(HeadRow.epochs) { $0.append(hub) },
            ] + commands + [PostgresCommand(ReadStatements.commit)]
        return try decoded { () throws(PostgresError) in
            try connection.withLock { held throws(PostgresError) in
                // One that was kept may have been lost meanwhile.
                if let kept = held, kept.isOpen {
                    do throws(PostgresError) { return try kept.run(all) } catch {
                        held = nil
                        kept.close()
                        guard error.isInDoubt else { throw error }
                    }
                }
                let fresh = try database.connect(preparing: ReadStatements.all)
                let rows = try fresh.run(all)
                held = fresh
                return rows
            }
        }
    }
}

extension PostgresRows {
    /// Rows of `item`.
    fileprivate func storedItems() throws(PostgresError) -> [StoredItem] {
        var items: [StoredItem] = []
        items.reserveCapacity(count)
        for row in 0..<count {
            let number = try integer(row, 0)
            guard let kind = ItemKind(rawValue: UInt8(truncatingIfNeeded: number)) else {
                throw .shape("an item of kind \(number)")
            }
            let key = ItemKey(kind, try bytes(row, 1))
            let gone = try isNull(row, 2) ? nil : try self.number(row, 2)
            let body = try bytes(row, 3)
            let checksum = UInt32(truncatingIfNeeded: try integer(row, 4))
            guard
                // The number of the kind says where to look; the bytes are wrong as a whole.
                let item = try? StoredItem(stored: body, key: key, gone: gone, checksum: checksum)
            else { throw .shape("a damaged item of kind \(number)") }
            items.append(item)
        }
        return items
    }
}
