import ArgumentParser

@testable import belfry

/// All commands of `belfry`, asked within this process: to start one for each question takes longer.
enum CommandTree {
    /// A command, with the words that lead to it.
    struct Entry {
        var words: [String]
        var type: any ParsableCommand.Type

        /// Whether it does something by itself.
        var isLeaf: Bool { type.configuration.subcommands.isEmpty }

        /// What `--help` prints on a terminal of 80 columns.
        var help: String { Belfry.helpMessage(for: type, columns: 80) }

        /// What a line of arguments is answered before the command does anything; nil: it is accepted.
        func refusal(_ arguments: [String]) -> (code: Int32, message: String)? {
            do {
                _ = try type.parse(arguments)
                return nil
            } catch {
                return (type.exitCode(for: error).rawValue, type.message(for: error))
            }
        }
    }

    /// Each command below `belfry`, in front of those below it.
    static var entries: [Entry] { entries(below: Entry(words: [], type: Belfry.self)) }

    private static func entries(below parent: Entry) -> [Entry] {
        parent.type.configuration.subcommands.flatMap { type in
            let entry = Entry(words: parent.words + [type._commandName], type: type)
            return [entry] + entries(below: entry)
        }
    }
}
