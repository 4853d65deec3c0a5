/// One statement of a pipeline with its values.
package struct PostgresCommand: Sendable {
    /// The name of a prepared statement, or SQL.
    let text: String
    let isPrepared: Bool
    let values: PostgresValues

    /// A statement that the connection has prepared.
    package init(
        _ statement: PostgresStatement,
        _ fill: (inout PostgresValues) -> Void = { _ in }
    ) {
        self.init(text: statement.name, isPrepared: true, fill)
    }

    /// One statement that is used seldom.
    package init(sql: String, _ fill: (inout PostgresValues) -> Void = { _ in }) {
        self.init(text: sql, isPrepared: false, fill)
    }

    private init(text: String, isPrepared: Bool, _ fill: (inout PostgresValues) -> Void) {
        self.text = text
        self.isPrepared = isPrepared
        var values = PostgresValues()
        fill(&values)
        self.values = values
    }
}
