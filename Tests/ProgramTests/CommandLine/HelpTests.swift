import Foundation
import HubTestSupport
import Testing

@testable import ScenarioSupport

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
    func usage() throws {
        let entries = CommandTree.entries
        #expect(entries.count > 70)
        for entry in entries {
            let line = try #require(
                entry.help.split(separator: "\n").first { $0.contains("USAGE: ") }
            )
            #expect(line.count <= 80, "\(line)")
            #expect(line.contains(entry.words.joined(separator: " ")), "\(line)")
        }
    }

    @Test("no example and no line of a list is too wide for 80 columns")
    func width() async throws {
        let commands = try await Self.tree().all
        #expect(commands.count > 30)
        for command in commands { #expect(command.broken.isEmpty, "\(command.commandName)") }
    }
}
