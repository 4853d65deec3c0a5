/// A column of a table.
struct StoredColumn: Sendable {
    /// The type of its values.
    enum Kind: Sendable { case integer, bytes }

    let name: String
    let kind: Kind
    /// The type and constraint of its values in SQL.
    let rule: String
    /// Whether the row's checksum covers it.
    let isChecked: Bool

    private init(_ name: String, _ kind: Kind, _ rule: String, _ isChecked: Bool) {
        self.name = name
        self.kind = kind
        self.rule = rule
        self.isChecked = isChecked
    }

    /// A column of integers, which SQL calls signed.
    static func integer(
        _ name: String,
        _ rule: String = "NOT NULL",
        isChecked: Bool = true
    ) -> StoredColumn {
        StoredColumn(name, .integer, rule, isChecked)
    }

    /// A column of bytes; NULL counts as none.
    static func bytes(
        _ name: String,
        _ rule: String = "NOT NULL",
        isChecked: Bool = true
    ) -> StoredColumn {
        StoredColumn(name, .bytes, rule, isChecked)
    }

    /// The key of a table that has one row.
    static let one = integer("one", "PRIMARY KEY CHECK (one = 1)")

    /// The column in a statement that makes the table.
    var definition: String { "\(name) \(kind == .integer ? "INTEGER" : "BLOB") \(rule)" }
}
