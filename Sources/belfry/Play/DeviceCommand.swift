import ArgumentParser
import DeviceEmulator
import Foundation
import HubClient
import HubWire

/// `belfry device`.
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "One emulated device: registers, subscribes, prints what it receives.",
        discussion: """
            With --state it keeps its identity, position and choices in a file and goes on where \
            it stopped; what it missed arrives, nothing arrives twice. On SIGHUP it comes back at \
            once, as after a change of network, whatever delay it had chosen.

            Examples:
              belfry device --data ./data --tag World --tag Sports
              belfry device --data ./data --tag World --platform wns --state phone.json \\
                --template '<toast><visual><binding template="ToastText01">\\
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

    @Flag(help: "Shows the push handle; a program that knows it can register for this device.")
    var showHandle = false

    @Flag(help: "Prints one JSON object a line.")
    var json = false

    func validate() throws {
        _ = try DevicePlatform.read(platform)
        _ = try definition()
    }

    func run() async throws {
        let platform = try DevicePlatform.read(platform)
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
        do {
            let wasAsked = try await Signals.streaming(SIGHUP) { [configuration] returns in
                var configuration = configuration
                configuration.returns = returns
                let app = EmulatedApp(configuration) { Terminal.line($0) }
                return try await Signals.cancelling { try await app.run() }
            }
            guard wasAsked else {
                throw Failure("the hub refused the device; see the line above")
            }
        } catch let error as DeviceFault {
            throw Failure(error)
        }
    }

    private func definition() throws -> TemplateMessage? {
        guard let template else { return nil }
        var headers: [TemplateMessage.Header] = []
        for text in templateHeaders {
            guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
                throw ValidationError("'\(text)' is no header; write NAME=VALUE.")
            }
            headers.append(
                TemplateMessage.Header(
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
