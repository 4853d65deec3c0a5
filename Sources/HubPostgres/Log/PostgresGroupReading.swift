package import HubCluster
package import HubModel
import HubVocabulary
import Synchronization

/// Reads of one hub in PostgreSQL, for copies; threads wait for each other.
package final class PostgresGroupReading: GroupReading {
    private let hub: Int64
    private let database: PostgresDatabase
    private let limits: PostgresLogLimits
    private let link: PostgresReadLink

    init(
        hub: Int64,
        database: PostgresDatabase,
        limits: PostgresLogLimits,
        on link: PostgresReadLink = PostgresReadLink()
    ) {
        self.hub = hub
        self.database = database
        self.limits = limits
        self.link = link
    }

    /// Reads a hub without leading it, on a link that others share; nil when the database does not
    /// know it.
    package static func of(
        _ name: String,
        in database: PostgresDatabase,
        on link: PostgresReadLink = PostgresReadLink()
    ) throws(PostgresError) -> PostgresGroupReading? {
        let connection = try database.connect(preparing: [])
        defer { connection.close() }
        return try HubRow.known(name, connection).map { hub in
            PostgresGroupReading(
                hub: hub,
                database: database,
                limits: PostgresLogLimits(),
                on: link
            )
        }
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
            PostgresCommand(ReadStatements.change) { [hub] values in
                values.append(hub)
                values.append(copy.lastChange)
            },
            PostgresCommand(ReadStatements.oldest) { [hub] values in
                values.append(hub)
                values.append(UInt64(ItemKind.scheduleKey.rawValue))
            },
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
            return GroupsRead(
                place: place,
                groups: groups.joined,
                known: try rows[7].changeMark(),
                newest: try rows[6].changeMark(),
                oldestKey: rows[8].count == 0
                    ? nil : Timestamp(milliseconds: try rows[8].number(0, 0))
            )
        }
    }

    package func items(
        _ body: (StoredItem) throws(StoreError) -> Void
    ) throws(StoreError) -> GroupPlace {
        let (connection, place) = try moment(preparing: ReadStatements.all)
        defer { connection.close() }
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

    package func cursorJournal(behind mark: JournalMark?) throws(StoreError) -> JournalNews {
        let progress = ProgressReading(hub: hub, limits: limits) { commands throws(StoreError) in
            Array(try self.snapshot(commands).dropFirst(3).dropLast())
        }
        return try progress.news(behind: mark)
    }

    package func cursors(
        _ body: ([StoredCursor]) throws(StoreError) -> Void
    ) throws(StoreError) -> JournalMark? {
        let (connection, place) = try moment(preparing: ReadStatements.progress)
        defer { connection.close() }
        return try progress(on: connection).cursors(through: place.checkpoint, body)
    }

    /// Calls `body` with all that checkpoints have stored up to one moment, in batches from 1 on.
    package func checkpoints(
        _ body: (CheckpointBatch) throws(StoreError) -> Void
    ) throws(StoreError) {
        let (connection, place) = try moment(preparing: ReadStatements.progress)
        defer { connection.close() }
        let progress = progress(on: connection)
        var number: UInt64 = 0
        func add(_ fill: (inout CheckpointBatch) -> Void) throws(StoreError) {
            number += 1
            var batch = CheckpointBatch(number: number, countersFloor: place.countersFloor)
            fill(&batch)
            try body(batch)
        }
        try progress.cursors(through: place.checkpoint) { cursors throws(StoreError) in
            if !cursors.isEmpty { try add { $0.cursors = cursors } }
        }
        try progress.forEachCounters { counters throws(StoreError) in
            try add { $0.counters = counters.filter { $0.sequence >= place.countersFloor } }
        }
        for lane in try progress.lanes() {
            let failures = try progress.failures(of: lane.platform)
            var all = LaneProgress(
                platform: lane.platform,
                mark: lane.mark,
                deferred: lane.deferred
            )
            all.failures = failures
            try add { $0.lanes = [all] }
        }
    }

    private func progress(on connection: PostgresConnection) -> ProgressReading {
        ProgressReading(hub: hub, limits: limits) { commands throws(StoreError) in
            try decoded { () throws(PostgresError) in try connection.run(commands) }
        }
    }

    /// A connection that sees one moment, and the hub's place then.
    private func moment(
        preparing statements: [PostgresStatement]
    ) throws(StoreError) -> (connection: PostgresConnection, place: GroupPlace) {
        try decoded { () throws(PostgresError) in
            let connection = try database.connect(preparing: statements)
            let rows = try connection.run([
                PostgresCommand(ReadStatements.begin),
                PostgresCommand(HeadRow.read) { $0.append(hub) },
                PostgresCommand(HeadRow.epochs) { $0.append(hub) },
            ])
            guard let place = try HeadRow.place(rows[1], rows[2]) else {
                throw .shape("no row of hub \(hub)")
            }
            return (connection, place)
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
            try link.connection.withLock { held throws(PostgresError) in
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
    /// Number and checksum of a row of `feed`; nil without a row.
    fileprivate func changeMark() throws(PostgresError) -> ChangeMark? {
        guard count > 0 else { return nil }
        let checksum = UInt32(truncatingIfNeeded: try integer(0, 1))
        return ChangeMark(number: try number(0, 0), checksum: checksum)
    }

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
