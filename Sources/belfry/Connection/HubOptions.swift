import ArgumentParser

/// What every command that talks to a running hub needs.
struct HubOptions: ParsableArguments {
    @Option(name: .long, help: "The data folder of a running hub (reads its connection.json).")
    var data: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A connection string instead of --data; better in BELFRY_CONNECTION_STRING or a file, "
                + "since process lists show arguments."
        )
    )
    var connectionString: String?

    @Option(name: .long, help: "A file that holds the connection string.")
    var connectionStringFile: String?

    @Option(name: .long, help: "The hub's name, with a connection string.")
    var hub: String?

    @Option(name: .long, help: "A PEM file of the authority to trust instead of the system's.")
    var ca: String?
}
