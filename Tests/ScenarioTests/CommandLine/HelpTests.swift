import Foundation
import HubTestSupport
import Testing

/// What `belfry COMMAND --help` shows can be copied on a terminal of 80 columns.
@Suite("Help")
struct HelpTests {
    /// A command as ArgumentParser tells of it.
    private struct Command: Decodable {
        var commandName: String
        var discussion: String?
        var subcommands: [Command]?

        /// The command and all below it.
        var all: [Command] { [self] + (subcommands ?? []).flatMap(\.all) }

        /// The words that lead to each command below a path, without those of the framework.
        func paths(below path: [String] = []) -> [[String]] {
            (subcommands ?? []).filter { $0.commandName != "help" }.flatMap { command in
                let words = path + [command.commandName]
                return [words] + command.paths(below: words)
            }
        }

        /// Lines that a terminal of 80 columns breaks: examples, and lines of a paragraph of several.
        var broken: [String] {
            (discussion ?? "").components(separatedBy: "\n\n").flatMap { paragraph in
                let lines = paragraph.split(separator: "\n")
                return lines.filter { line in
                    line.count >= 80 && (lines.count > 1 || line.hasPrefix(" "))
                }
                .map(String.init)
            }
        }
    }

    private struct Dump: Decodable {
        var command: Command
    }

    private static func tree() async throws -> Command {
        let program = try Program.belfry(["--experimental-dump-help"])
        #expect(try await program.exitCode() == 0)
        let text = program.output.events.joined(separator: "\n")
        return try JSONDecoder().decode(Dump.self, from: Data(text.utf8)).command
    }

    @Test("the line of usage of each command has at most 80 columns")
    func usage() async throws {
        let paths = try await Self.tree().paths()
        #expect(paths.count > 70)
        for path in paths {
            let program = try Program.belfry(path + ["--help"])
            #expect(try await program.exitCode() == 0)
            let line = try #require(program.output.events.first { $0.hasPrefix("USAGE: ") })
            #expect(line.count <= 80 && line.contains(path.joined(separator: " ")), "\(line)")
        }
    }

    @Test("no example and no line of a list is too wide for 80 columns")
    func width() async throws {
        let commands = try await Self.tree().all
        #expect(commands.count > 30)
        for command in commands { #expect(command.broken.isEmpty, "\(command.commandName)") }
    }
}
