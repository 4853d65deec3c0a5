import ArgumentParser
import CommandTerminal
import DeviceEmulator
import Foundation
import HubClient
import HubSender
import HubWire

/// `belfry device`, or `belfry device run`.
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "One emulated device: registers, subscribes, prints what it receives.",
        usage: "belfry device run --data <data> [<options>]",
        discussion: """
            With --state it keeps its identity, position and choices in a file and goes on where \
            it stopped; what it missed arrives, nothing arrives twice. On SIGHUP, or on Enter in \
            a terminal, it comes back at once, whatever delay it had chosen. It exits 1 when the \
            hub refuses what it registers.

            Examples:
              belfry device --data ./data --tag World --tag Sports
              belfry device --data ./data --tag World --platform wns --state phone.json \\
                --template '<toast><visual><binding template="ToastText01">
              <text id="1">$(messageParam)</text></binding></visual></toast>' \\
                --template-header X-WNS-Type=wns/toast
              belfry device --data ./data --tag World --json --count 1
            """
    )

    @Option(help: "The data folder of a running hub (reads its connection.json).")
    var data: String

    @Option(name: .customLong("tag"), help: "A tag to subscribe to; may be given several times.")
    var tags: [String] = []

    @Option(help: "apple, gcm, fcm, wns, mpns, adm, baidu, browser or xiaomi.")
    var platform = "apple"

    @Option(help: "Makes it a template registration with this body.")
    var template: String?

    @Option(help: "The template's name.")
    var templateName = "default"

    @Option(help: "The template's expiry expression; '0' means now or never.")
    var templateExpiry = ""

    @Option(name: .customLong("template-header"), help: "A header of the template, NAME=VALUE.")
    var templateHeaders: [String] = []

    @Option(help: "Keeps identity, position and choices in this file.")
    var state: String?

    @Option(help: "Ends after so many notifications.")
    var count: Int?

    @Flag(help: "Reports each notification as opened.")
    var opens = false

    @Flag(help: "Shows the push handle too; a program that knows it can register for this device.")
    var showHandle = false

    @Flag(help: "Prints one JSON object a line.")
    var json = false

    func validate() throws {
        _ = try Platform.read(platform)
        _ = try definition()
    }

    func run() async throws {
        let platform = try Platform.read(platform)
        let file = try Connecting.file(data)
        var configuration = EmulatedApp.Configuration(
            connection: file,
            choices: [
                RegistrationChoice(platform: platform, tags: tags, template: try definition())
            ]
        )
        configuration.stateFile = state
        configuration.printsJSON = json
        configuration.showsHandle = showHandle
        configuration.opens = opens
        configuration.notificationsMax = count
        configuration.advice = "try: \(example(platform))"
        do {
            let ending = try await Signals.streaming(SIGHUP, orEnter: true) {
                [configuration] returns in
                var configuration = configuration
                configuration.returns = returns
                let app = EmulatedApp(configuration) { Terminal.line($0) }
                return try await Signals.cancelling { try await app.run() }
            }
            switch ending {
            case .asked: break
            case .away: throw Failure("the hub refused the device; see the line above")
            case .refused: throw Failure("the hub refused the registration; see the line above")
            }
        } catch let error as DeviceFault {
            throw Failure(error)
        }
    }

    /// A command that reaches this device.
    private func example(_ platform: Platform) -> String {
        let audience = tags.first.map { " --tags \(Self.quoted($0))" } ?? ""
        let (format, body) =
            template == nil
            ? (
                " --format \(platform.commandLineName)",
                PlatformPayload.alert("Hello", on: platform)
            )
            : ("", #"{"messageParam":"Hello"}"#)
        return "belfry send --data \(Self.quoted(data))\(audience)\(format) \(Self.quoted(body))"
    }

    /// A word as a shell reads it back.
    private static func quoted(_ text: String) -> String {
        let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || "./_-:@".contains($0) }
        return isPlain ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    private func definition() throws -> TemplateMessage? {
        guard let template else { return nil }
        var headers: [NotificationHeader] = []
        for text in templateHeaders {
            guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
                throw ValidationError("'\(text)' is no header; write NAME=VALUE.")
            }
            headers.append(
                NotificationHeader(
                    name: String(text[..<equals]),
                    value: String(text[text.index(after: equals)...])
                )
            )
        }
        return TemplateMessage(
            name: templateName,
            expiry: templateExpiry,
            headers: headers,
            body: Array(template.utf8)
        )
    }
}
