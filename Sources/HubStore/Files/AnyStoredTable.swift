import GRDB

/// A table as the code sees it that makes or verifies a whole file.
protocol AnyStoredTable: Sendable {
    var name: String { get }
    /// The name of the first column.
    var keyColumn: String { get }
    var creation: String { get }
    var selection: String { get }
    var isDense: Bool { get }

    /// Whether a row is what was written, column by column.
    func isWhole(_ row: Row) -> Bool
}
