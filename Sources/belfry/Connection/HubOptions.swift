import ArgumentParser
import HubDoctor

/// The options of every command that talks to a running hub.
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

    @Option(name: .long, help: "A context of 'belfry context' instead of a connection string.")
    var context: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The hub's name. Without it: the server's first hub with --data, EntityPath of a "
                + "connection string."
        )
    )
    var hub: String?

    @Option(
        name: .long,
        help: "With a connection string: a PEM file of the authority to trust, not the system's."
    )
    var ca: String?

    /// The options that name the same server to another command; none for what is no one's
    /// business, or what the environment says.
    var spelled: String {
        if let data { return "--data \(DoctorFacts.word(data))" }
        if let context { return "--context \(DoctorFacts.word(context))" }
        if let connectionStringFile {
            let authority = ca.map { " --ca \($0)" } ?? ""
            return "--connection-string-file \(connectionStringFile)" + authority
        }
        return ""
    }

    /// Whether one of them names a server, or whom to trust.
    var namesServer: Bool {
        [data, connectionString, connectionStringFile, context, ca].contains { $0 != nil }
    }

    /// Refuses options that name two servers: a command must never act on the wrong one.
    func validate() throws {
        if connectionString != nil, connectionStringFile != nil {
            throw ValidationError(
                "Name one of --connection-string and --connection-string-file."
            )
        }
        if context != nil, data != nil || connectionString != nil || connectionStringFile != nil {
            throw ValidationError("--context names a server of its own: keep one.")
        }
        guard data != nil else { return }
        if connectionString != nil || connectionStringFile != nil {
            throw ValidationError("--data and a connection string name two servers: keep one.")
        }
        if ca != nil {
            throw ValidationError("--ca belongs to a connection string; --data has its authority.")
        }
    }

    /// Refuses `--hub` to a command that means another hub, or all.
    func refuseHub(since reason: String) throws {
        guard hub == nil else { throw ValidationError("\(reason): it takes no --hub.") }
    }
}
