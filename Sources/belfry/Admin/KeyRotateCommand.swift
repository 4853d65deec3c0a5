import ArgumentParser
import CommandTerminal
import Foundation
import HubExamination
import HubSender

/// `belfry key rotate`.
struct KeyRotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Changes the keys of an access rule without a break, step by step.",
        usage: "belfry key rotate <rule> [<options>]",
        discussion: """
            Each run does the step that is due, and says the next one:
              1. It makes the secondary key anew and prints it: hand it to every sender.
              2. It waits until the primary key is not used any more, --wait for as long.
              3. It makes the primary key anew and prints it.

            With --key it makes that one anew at once. An old key is refused from then on, with \
            each token that it has signed.

            Examples:
              belfry key rotate --data ./data DefaultSendSharedAccessSignature
              belfry key rotate --data ./data DefaultSendSharedAccessSignature \\
                --key secondary
              belfry key rotate --data ./data --namespace RootManageSharedAccessKey
            """
    )

    enum Key: String, CaseIterable, ExpressibleByArgument {
        case primary
        case secondary
    }

    @OptionGroup var hubOptions: HubOptions
    @OptionGroup var level: KeyLevel

    @Argument(help: "The rule's name, as 'belfry key list' prints it.")
    var rule: String

    @Option(help: "primary or secondary: makes it anew at once.")
    var key: Key?

    @Option(help: "Hours without a use after which the primary key is not used any more.")
    var quiet = 24

    @Flag(help: "Waits in step 2, looking once a minute.")
    var wait = false

    @Flag(help: "Prints the answer as JSON.")
    var json = false

    private struct NewKey: Decodable {
        var value: String
    }

    func validate() throws {
        try level.check(hubOptions)
        guard (1...8_760).contains(quiet) else {
            throw ValidationError("--quiet must be 1 to 8760.")
        }
        guard key == nil || !wait else {
            throw ValidationError("--key makes a key anew at once: it takes no --wait.")
        }
    }

    func run() async throws {
        if let key { return try await renew(key) }
        try await Signals.cancelling { [self] in
            while true {
                switch KeyRotation(of: try await found(), quietHours: quiet, now: Date()) {
                case .secondary:
                    try await renew(.secondary)
                    return Terminal.note(
                        "hand it to every sender of '\(rule)'; then run this command again"
                    )
                case .primary:
                    try await renew(.primary)
                    return Terminal.note("the keys of '\(rule)' are changed")
                case .watching(let used, let left):
                    let line =
                        "the primary key of '\(rule)' was used in the hour of \(Row.hour(used)); "
                        + "it is quiet in \(left) hours at the earliest"
                    guard wait else { throw Failure(line) }
                    Terminal.note(line)
                    // Cancelled by a signal: the next run goes on here.
                    do { try await Task.sleep(for: .seconds(60)) } catch { return }
                }
            }
        }
    }

    private func found() async throws -> KeyPage.Rule {
        let text = try await Row.text(of: hubOptions, isOfServer: level.namespace, KeyPage.path)
        let rules = try Row.read(text, as: KeyPage.self).rules
        guard let found = rules.first(where: { $0.name == rule }) else {
            throw ValidationError.wrong(rule, kind: "access rule", words: rules.map(\.name))
        }
        return found
    }

    private func renew(_ key: Key) async throws {
        let hub = level.namespace ? "" : "\(try Connecting.hubName(hubOptions))/"
        let text = try await Connecting.askingServer(hubOptions) { sender throws(SenderError) in
            try await sender.row(
                .post,
                hub + KeyPage.path,
                ["rule": rule, "key": key.rawValue]
            )
        }
        if json { return Terminal.line(text) }
        let place = level.namespace ? "all hubs" : "/\(hub.dropLast())"
        Terminal.note("the new \(key.rawValue) key of '\(rule)' of \(place); it is in force:")
        Terminal.line(try Row.read(text, as: NewKey.self).value)
    }
}
