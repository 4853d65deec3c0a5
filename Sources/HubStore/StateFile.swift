import Foundation
import GRDB
import HubCore

/// Device cursors and counters: a checkpoint is one transaction.
///
///     cursor_journal(id, cursors, checksum)     one row a checkpoint; cursors: 48 bytes each
///     cursor_chunk(id, cursors, checksum)       merged from the journal, 800 cursors each
///     counter(seq, platform, counts, checksum)  see StateFile+Counters.swift
///     meta(batch, floor)                        the last checkpoint; where counters begin
///
/// One row per checkpoint costs 45 times less than one per device; reading all is a start-up
/// matter.
final class StateFile {
    /// The file's name.
    static let name = "state.sqlite"
    /// Device, acknowledged, scanned through, last seen, evaluated through.
    static let cursorBytes = 48
    private static let chunkCursors = 800

    private let journalBytesMin: Int
    let file: SQLiteFile
    private var journalBytes = 0
    private var chunkBytes = 0
    /// The number of the last checkpoint.
    private(set) var batch: UInt64 = 0
    private var floor: UInt64 = 0

    /// Opens or makes the file and merges its journal.
    init(path: String, limits: StoreLimits) throws(StoreError) {
        journalBytesMin = limits.journalBytesMin
        file = try SQLiteFile(path: path, pageBytes: 4_096, readers: 1) { database in
            try database.execute(
                sql: """
                    CREATE TABLE cursor_journal(
                        id INTEGER PRIMARY KEY, cursors BLOB NOT NULL,
                        checksum INTEGER NOT NULL
                    ) STRICT;
                    CREATE TABLE cursor_chunk(
                        id INTEGER PRIMARY KEY, cursors BLOB NOT NULL,
                        checksum INTEGER NOT NULL
                    ) STRICT;
                    \(Self.counterTables)
                    """
            )
        } migrate: { database, _ in
            try Self.migrateFirst(database, path: path)
        }
        (batch, floor) = try meta()
        try compact()
    }

    /// Makes cursors and counters durable, once for each batch.
    func checkpoint(_ batch: CheckpointBatch) throws(StoreError) {
        guard batch.number > self.batch else { return }
        let packed = Self.pack(batch.cursors[...])
        let floor = max(floor, batch.countersFloor)
        try file.writing { database in
            if !packed.isEmpty {
                let insert = try database.cachedStatement(
                    sql: "INSERT INTO cursor_journal(cursors, checksum) VALUES (?, ?)"
                )
                try insert.execute(arguments: [Data(packed), Checksum.of(bytes: packed)])
            }
            try Self.add(batch.counters, to: database, path: file.path)
            try Self.forgetCounters(below: floor, in: database)
            try Self.setMeta(batch: batch.number, floor: floor, in: database)
        }
        self.batch = batch.number
        self.floor = floor
        journalBytes += packed.count
        if journalBytes > max(journalBytesMin, chunkBytes) { try compact() }
    }

    /// Every cursor, merged by maximum, by device.
    func merged() throws(StoreError) -> [StoredCursor] {
        var found: [DeviceID: StoredCursor] = [:]
        try file.accessing { database in
            for table in ["cursor_chunk", "cursor_journal"] {
                let rows = try Row.fetchCursor(
                    database,
                    sql: "SELECT id, cursors, checksum FROM \(table) ORDER BY id"
                )
                while let row = try rows.next() {
                    let bytes = try row.bytes(at: 1)
                    let checksum: Int64 = row[2]
                    guard bytes.count % Self.cursorBytes == 0,
                        checksum == Checksum.of(bytes: bytes)
                    else {
                        let id: Int64 = row[0]
                        throw StoreError.corrupted("\(file.path): \(table) \(id)")
                    }
                    for cursor in Self.unpack(bytes) {
                        found.merge(cursor)
                    }
                }
            }
        }
        return found.values.sorted { $0.device < $1.device }
    }

    /// Merges the journal into chunks, as one transaction.
    func compact() throws(StoreError) {
        let cursors = try merged()
        try file.writing { database in
            let waiting = try Int.fetchOne(database, sql: "SELECT count(*) FROM cursor_journal")
            guard waiting != 0 else { return }
            try database.execute(sql: "DELETE FROM cursor_chunk")
            try database.execute(sql: "DELETE FROM cursor_journal")
            let insert = try database.cachedStatement(
                sql: "INSERT INTO cursor_chunk(cursors, checksum) VALUES (?, ?)"
            )
            for start in stride(from: 0, to: cursors.count, by: Self.chunkCursors) {
                let end = min(start + Self.chunkCursors, cursors.count)
                let packed = Self.pack(cursors[start..<end])
                try insert.execute(arguments: [Data(packed), Checksum.of(bytes: packed)])
            }
        }
        journalBytes = 0
        chunkBytes = cursors.count * Self.cursorBytes
    }

    /// Closes the file.
    func close() { file.close() }

    private static func pack(_ cursors: ArraySlice<StoredCursor>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(cursors.count * cursorBytes)
        for cursor in cursors {
            bytes.appendStored(cursor.device.high)
            bytes.appendStored(cursor.device.low)
            bytes.appendStored(cursor.acknowledged)
            bytes.appendStored(cursor.scannedThrough)
            bytes.appendStored(cursor.lastSeen.milliseconds)
            bytes.appendStored(cursor.evaluatedThrough)
        }
        return bytes
    }

    private static func unpack(_ bytes: [UInt8]) -> [StoredCursor] {
        stride(from: 0, to: bytes.count, by: cursorBytes).map { start in
            StoredCursor(
                device: DeviceID(high: bytes.integer(at: start), low: bytes.integer(at: start + 8)),
                acknowledged: bytes.integer(at: start + 16),
                scannedThrough: bytes.integer(at: start + 24),
                lastSeen: Timestamp(milliseconds: bytes.integer(at: start + 32)),
                evaluatedThrough: bytes.integer(at: start + 40)
            )
        }
    }
}

extension [DeviceID: StoredCursor] {
    /// Takes a cursor by maximum, or forgets what came before.
    mutating func merge(_ cursor: StoredCursor) {
        if cursor.isForgotten {
            self[cursor.device] = nil
        } else {
            self[cursor.device] = self[cursor.device]?.merged(cursor) ?? cursor
        }
    }
}

extension StoredCursor {
    /// Both, by maximum.
    fileprivate func merged(_ other: StoredCursor) -> StoredCursor {
        StoredCursor(
            device: device,
            acknowledged: max(acknowledged, other.acknowledged),
            scannedThrough: max(scannedThrough, other.scannedThrough),
            lastSeen: max(lastSeen, other.lastSeen),
            evaluatedThrough: max(evaluatedThrough, other.evaluatedThrough)
        )
    }
}
