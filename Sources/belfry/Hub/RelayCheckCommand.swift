import ArgumentParser
import CommandTerminal
import HubSender

/// `belfry relay check`.
struct RelayCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Asks a push service whether it takes the hub's credential.",
        usage: "belfry relay check <service> [<options>]",
        discussion: """
            Sends what reaches no device: a handle that none has, or a request that is only \
            checked. Web Push has no one to ask: its keys are judged with each notification.

            Exits 1 when the credential is refused, or when there is no answer.

            Examples:
              belfry relay check apns --data ./data
              belfry relay check fcm --data ./data --json
            """
    )

    @Argument(help: "The service.")
    var service: RelayService

    @OptionGroup var hubOptions: HubOptions

    @Flag(help: "Prints the answer as JSON.")
    var json = false

    func validate() throws { _ = try service.format() }

    func run() async throws {
        let word = try service.format()
        let (check, text) = try await Connecting.asking(hubOptions) {
            sender throws(SenderError) in try await RelayAdministration(sender).check(word)
        }
        if json { Terminal.line(text) }
        let reason = check.reason.map { ": \($0)" } ?? ""
        switch check.answer {
        case "taken":
            if !json {
                Terminal.line("\(service): the service takes the credential")
                if let said = check.reason {
                    Terminal.line("  of a handle that none has it says \(said)")
                }
            }
        case "untestable":
            if !json { Terminal.line("\(service): only a subscription can tell") }
        case "noRelay": throw Failure("\(service): no relay runs; has the hub a credential?")
        case "refused":
            throw Failure("\(service): the service refuses the credential\(reason)")
        default: throw Failure("\(service): the service gives no answer\(reason)")
        }
    }
}
