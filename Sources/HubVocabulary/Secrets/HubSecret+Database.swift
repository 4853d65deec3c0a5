extension HubSecret {
    /// The name of a hub in a database: no other hub has it, also none that is made later under the
    /// same name.
    package func databaseName(of hub: HubName) -> String {
        "\(hub)/" + HexText.lowercase(code(of: Array("database\n\(hub)".utf8)).prefix(8))
    }
}
