import GRDB

extension SchemaStep {
    /// Tables for lanes to push services.
    static let lanes = SchemaStep(from: 4) { file, database in
        guard file == StateFile.name else { return }
        for table in StateFile.laneTables { try database.execute(sql: table.creation) }
    }
}
