import ArgumentParser

/// `belfry tag`.
struct TagCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tag",
        abstract: "Lists tags, and shows who has one.",
        subcommands: [TagListCommand.self, TagShowCommand.self]
    )
}
