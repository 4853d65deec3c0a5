import Foundation
import GRDB
import HubModel
import Synchronization

/// The sealing of one slice, in steps between which the writer does other things.
///
/// A crash forgets how far it was; opening the log begins it anew.
struct SliceSealing {
    private enum Phase {
        /// The tables are emptied of what an earlier attempt has left.
        case begin
        /// Lists by anchor are written.
        case anchors
        /// Keys are read, to be put in order.
        case readKeys
        case writeKeys
        case end
    }

    private let file: SliceFile
    private let lists: AnchorLists
    private let anchors: [UInt64]
    private let rowsPerStep: Int
    private var phase = Phase.begin
    /// The next anchor and how much of its list is written.
    private var anchor = 0
    private var written = 0
    private var keys: [(scope: UInt64, sequence: UInt64)] = []
    private var key = 0

    let number: Int

    init(number: Int, file: SliceFile, lists: AnchorLists, rowsPerStep: Int) {
        self.number = number
        self.file = file
        self.lists = lists
        self.rowsPerStep = rowsPerStep
        anchors = lists.anchors
    }

    /// Does some of the work; whether only the slice's last word is missing.
    mutating func step() throws(StoreError) -> Bool {
        switch phase {
        case .begin:
            try file.file.writing { database in
                try database.execute(sql: "DELETE FROM anchor; DELETE FROM key_place")
            }
            phase = .anchors
        case .anchors: try writeAnchors()
        case .readKeys: try readKeys()
        case .writeKeys: try writeKeys()
        case .end: return true
        }
        return false
    }

    private mutating func writeAnchors() throws(StoreError) {
        var (next, start) = (anchor, written)
        try file.file.writing { database in
            let insert = try database.cachedStatement(sql: AnchorPlace.table.insertion)
            var left = rowsPerStep
            while next < anchors.count, left > 0 {
                let list = lists.sequences(of: anchors[next])
                let end = min(list.count, start + left)
                for sequence in list[start..<end] {
                    try insert.run([.integer(anchors[next]), .integer(sequence)])
                }
                left -= end - start
                (next, start) = end == list.count ? (next + 1, 0) : (next, end)
            }
        }
        (anchor, written) = (next, start)
        if anchor == anchors.count { phase = .readKeys }
    }

    private mutating func readKeys() throws(StoreError) {
        let after = keys.last?.sequence ?? 0
        let found = try file.file.reading { database in
            let rows = try Row.fetchCursor(
                database.cachedStatement(
                    sql: """
                        SELECT seq, scope FROM idempotency WHERE seq > ? ORDER BY seq LIMIT ?
                        """
                ),
                arguments: [Int64(bitPattern: after), rowsPerStep]
            )
            var found: [(scope: UInt64, sequence: UInt64)] = []
            while let row = try rows.next() {
                let scope = try row.bytes(at: 1)
                // A damaged key is told when it is looked for, or by a verification.
                found.append(
                    (scope.count == 16 ? scope.integer(at: 0) : 0, UInt64(row[0] as Int64))
                )
            }
            return found
        }
        keys += found
        guard found.count < rowsPerStep else { return }
        // As SQLite orders them: signed.
        keys.sort {
            (Int64(bitPattern: $0.scope), $0.sequence) < (Int64(bitPattern: $1.scope), $1.sequence)
        }
        phase = .writeKeys
    }

    private mutating func writeKeys() throws(StoreError) {
        let end = min(keys.count, key + rowsPerStep)
        try file.file.writing { database in
            let insert = try database.cachedStatement(sql: KeyPlace.table.insertion)
            for entry in keys[key..<end] {
                try insert.run([.integer(entry.scope), .integer(entry.sequence)])
            }
        }
        key = end
        if key == keys.count { phase = .end }
    }
}
