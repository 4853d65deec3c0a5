import ArgumentParser

/// The database of a command line.
struct DatabaseChoice: ParsableArguments {
    @Option(
        help: """
            The PostgreSQL database that holds the hubs: postgres://USER@HOST/NAME. The folder \
            then holds their keys, and a copy.
            """
    )
    var database: String?

    @Option(help: "The file with the database's password, instead of PGPASSWORD or PGPASSFILE.")
    var databasePasswordFile: String?

    /// By configuration key.
    var flags: [String: String] {
        var flags: [String: String] = [:]
        flags["database.url"] = database
        flags["database.password.file"] = databasePasswordFile
        return flags
    }
}
