import GRDB
import HubModel
import HubVocabulary

/// A table of a store's files: its columns, and how a row is written, read and checked.
///
/// The last column is a checksum: over the integers of the others, then over their bytes, each in
/// the order of the columns. Tables that say nothing new have none.
struct StoredTable<Element>: Sendable {
    /// The table's name.
    let name: String
    /// The word for one of its rows in a report of damage.
    private let noun: String
    /// Without the checksum.
    private let columns: [StoredColumn]
    /// Whether the checksum covers each of them.
    private let isChecked: [Bool]
    /// The places of those that it covers: a row of a registration that is read is one of many.
    private let checked: (integers: [Int], bytes: [Int])
    private let hasChecksum: Bool
    /// Numbers that the checksum covers in front of the columns.
    private let salt: [UInt64]
    /// Whether the first column counts up by one.
    let isDense: Bool
    private let encode: @Sendable (Element) -> [StoredValue]
    private let decode: @Sendable (Row) throws -> Element
    private let audit: @Sendable (Row, Element) throws -> Bool

    /// Makes the table and its indexes.
    let creation: String
    /// Selects every column, also for a longer statement.
    let selection: String
    /// Adds a row.
    let insertion: String
    /// Adds a row or changes the one with its key.
    let replacement: String

    /// Describes a table.
    ///
    /// The first `keys` columns are the key; a key of several needs a `constraint` that says so.
    /// `decode` gets a row whose checksum fits. `audit` says whether the row agrees with what was
    /// read of it, as far as only a verification looks.
    init(
        _ name: String,
        of noun: String,
        _ columns: [StoredColumn],
        keys: Int = 1,
        constraint: String? = nil,
        isWithoutRowID: Bool = false,
        indexes: String = "",
        hasChecksum: Bool = true,
        salt: [UInt64] = [],
        isDense: Bool = false,
        encode: @escaping @Sendable (Element) -> [StoredValue],
        decode: @escaping @Sendable (Row) throws -> Element,
        audit: @escaping @Sendable (Row, Element) throws -> Bool = { _, _ in true }
    ) {
        (self.name, self.noun, self.columns) = (name, noun, columns)
        isChecked = columns.map(\.isChecked)
        func places(_ kind: StoredColumn.Kind) -> [Int] {
            columns.indices.filter { columns[$0].isChecked && columns[$0].kind == kind }
        }
        checked = (places(.integer), places(.bytes))
        (self.hasChecksum, self.salt, self.isDense) = (hasChecksum, salt, isDense)
        (self.encode, self.decode, self.audit) = (encode, decode, audit)
        let names = columns.map(\.name) + (hasChecksum ? ["checksum"] : [])
        let list = names.joined(separator: ", ")
        let definitions =
            columns.map(\.definition) + (hasChecksum ? ["checksum INTEGER NOT NULL"] : [])
            + (constraint.map { [$0] } ?? [])
        creation = """
            CREATE TABLE \(name)(
                \(definitions.joined(separator: ", "))
            ) STRICT\(isWithoutRowID ? ", WITHOUT ROWID" : "");
            \(indexes)
            """
        selection = "SELECT \(list) FROM \(name) "
        insertion =
            "INSERT INTO \(name)(\(list)) VALUES ("
            + Array(repeating: "?", count: names.count).joined(separator: ", ") + ")"
        replacement =
            insertion + " ON CONFLICT DO UPDATE SET "
            + names.dropFirst(keys).map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    }

    // MARK: Writing

    /// Adds a row, instead of the one with its key when it replaces.
    func insert(_ element: Element, in database: Database, replacing: Bool = false) throws {
        var values = encode(element)
        if hasChecksum { values.append(.integer(checksum(of: values))) }
        try database.cachedStatement(sql: replacing ? replacement : insertion).run(values)
    }

    /// Removes the row with a key.
    func remove(_ key: some DatabaseValueConvertible, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM \(name) WHERE \(keyColumn) = ?")
            .execute(arguments: [key])
    }

    private func checksum(of values: [StoredValue]) -> UInt64 {
        var checksum = Checksum(salt)
        for (place, value) in values.enumerated() where isChecked[place] {
            if case .integer(let integer) = value { checksum.append(integer) }
        }
        for (place, value) in values.enumerated() where isChecked[place] {
            if case .bytes(let bytes) = value { checksum.append(bytes) }
        }
        return UInt64(checksum.value)
    }

    // MARK: Reading

    /// Whether the checksum of a row fits; columns as `selection` gives them.
    func isSound(_ row: Row) throws -> Bool {
        guard hasChecksum else { return true }
        var checksum = Checksum(salt)
        for index in checked.integers { checksum.append(UInt64(bitPattern: row[index])) }
        for index in checked.bytes { try row.reading(index) { checksum.append($0) } }
        return row[columns.count] == Int64(checksum.value)
    }

    /// Decodes a row; columns as `selection` gives them.
    ///
    /// - Throws: `.corrupted` with the file and the row.
    func read(_ row: Row, path: String) throws -> Element {
        do {
            guard try isSound(row) else { throw RecordProblem.badField("checksum") }
            return try decode(row)
        } catch {
            throw damage(row, path: path)
        }
    }

    /// The error for a row that differs from the one that was written.
    func damage(_ row: Row, path: String) -> StoreError {
        guard columns[0].kind == .integer, columns[0].name != StoredColumn.one.name else {
            return .corrupted("\(path): \(noun)")
        }
        return .corrupted("\(path): \(noun) \(UInt64(bitPattern: row[0]))")
    }

    /// A statement that selects rows; `rest` is what follows the table's name.
    func statement(_ rest: String, in database: Database) throws -> Statement {
        try database.cachedStatement(sql: selection + rest)
    }

    /// Calls `body` with the rows that a condition selects, in its order.
    func forEach(
        _ rest: String,
        _ arguments: StatementArguments = [],
        in database: Database,
        path: String,
        _ body: (Element) throws -> Void
    ) throws {
        let rows = try Row.fetchCursor(statement(rest, in: database), arguments: arguments)
        while let row = try rows.next() { try body(read(row, path: path)) }
    }

    /// The first row that a condition selects; nil when there is none.
    func first(
        _ rest: String,
        _ arguments: StatementArguments = [],
        in database: Database,
        path: String
    ) throws -> Element? {
        try Row.fetchOne(statement(rest, in: database), arguments: arguments)
            .map { try read($0, path: path) }
    }
}

extension StoredTable: AnyStoredTable {
    var keyColumn: String { columns[0].name }

    func isWhole(_ row: Row) -> Bool {
        do {
            return try audit(row, read(row, path: ""))
        } catch {
            // That it is damaged is all that is asked.
            return false
        }
    }
}
