import ArgumentParser

/// `belfry context`.
struct ContextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "context",
        abstract:
            "Keeps where hubs are and which key opens them, so that commands need no options.",
        discussion: """
            A command that is told no hub takes the one of --context, of BELFRY_CONTEXT, or of \
            the context in use, in this order. A context is a file with a key that its user alone \
            can read.

            Examples:
              belfry context add prod --connection-string-file key.txt --hub hub \\
                --ca ca.pem
              belfry context use prod
              belfry notification list
            """,
        subcommands: [
            ContextAddCommand.self, ContextUseCommand.self, ContextListCommand.self,
            ContextRemoveCommand.self,
        ]
    )
}
