import ArgumentParser
import CommandTerminal
import DeviceEmulator
import Foundation
import HubData
import HubSender
import HubVocabulary

/// `belfry send`.
struct SendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Sends a notification through the REST API.",
        discussion: """
            When it prints an id, the notification is on stable storage.

            Examples:
              belfry send --data ./data --tags World --format apple \\
                '{"aps":{"alert":"Hello"}}'
              belfry send --data ./data --tags 'World && !locale:fr' \\
                '{"messageParam":"To all platforms, through templates"}'
              belfry send --data ./data --format wns \\
                '<toast><visual><binding template="ToastText01"><text id="1">Hello</text>
              </binding></visual></toast>'
              belfry send --data ./data --at +90m '{"messageParam":"In 90 minutes"}'
              belfry send --data ./data --test --tags World '{"messageParam":"To a few"}'
              belfry send --data ./data --dry-run --tags World '{"messageParam":"Hello"}'
              echo '{"messageParam":"Hello"}' | belfry send --data ./data -
              belfry send --data ./data --file many.ndjson

            Each line of such a file is a notification of its own, such as
              {"format":"apple","tags":"user-1","body":{"aps":{"alert":"Hello"}}}

            Its members are format, tags or handle, headers, body or bodyBase64, and \
            idempotencyKey. A line without one gets the file's key and its number. When the hub takes \
            nothing more, the command says with which options to go on: for 24 hours they send no \
            line of the same file twice.
            """
    )

    /// Bytes of an idempotency key.
    private static let keyBytesMax = CoreLimits.standard.idempotency.idempotencyKeyBytesMax

    @OptionGroup var hubOptions: HubOptions

    @Option(help: "Tag or tag expression; without it everyone is meant.")
    var tags: String?

    @Option(
        help: ArgumentHelp(
            "Sends every line of a file; '-' reads standard input.",
            valueName: "ndjson"
        )
    )
    var file: String?

    @Option(
        help: "template, or apple, gcm, fcm, wns, mpns, adm, baidu, browser or xiaomi."
    )
    var format = "template"

    @Option(
        name: .customLong("header"),
        help: "A further header as 'name: value', such as 'apns-expiration: 0'."
    )
    var headers: [String] = []

    @Option(
        help: ArgumentHelp(
            "When to send: a date and time, UTC when it names no zone, or +N and s, m, h or d.",
            valueName: "time"
        )
    )
    var at: String?

    @Option(
        help: ArgumentHelp(
            "Sends the lines of the file from this one on.",
            valueName: "number"
        )
    )
    var from: Int?

    @Option(
        help: ArgumentHelp(
            "The same key with the same notification is sent once; of a file, the front of each key.",
            valueName: "key"
        )
    )
    var idempotencyKey: String?

    @Flag(help: "Sends to at most ten of those that match, and shows what happens at each.")
    var test = false

    @Flag(help: "Sends nothing; shows who would receive it, and what.")
    var dryRun = false

    @Flag(help: "Prints the outcome as JSON; with --file a line for each.")
    var json = false

    @Argument(help: "The payload, or the JSON object of template properties; '-' reads it.")
    var body: String?

    func validate() throws {
        if let key = idempotencyKey {
            let most = file == nil ? Self.keyBytesMax : SendFile.keyBytesMax
            guard (1...most).contains(key.utf8.count), key.utf8.allSatisfy(Self.isPlain) else {
                throw ValidationError(
                    "--idempotency-key must have 1 to \(most) letters, digits and signs."
                )
            }
            if test { throw ValidationError("--test has no --idempotency-key.") }
        }
        guard from ?? 1 >= 1, from == nil || file != nil else {
            throw ValidationError("--from is the number of a line, with --file.")
        }
        guard file == nil else {
            guard body == nil, tags == nil, headers.isEmpty, at == nil, !test, !dryRun,
                format == "template"
            else { throw ValidationError("With --file each line says what is sent to whom.") }
            return
        }
        guard body != nil else { throw ValidationError("There is no payload, and no --file.") }
        _ = try SendFormat(format)
        _ = try headers.map(Self.header)
        if let at { _ = try Self.time(at, now: Date()) }
        if test, at != nil { throw ValidationError("--test sends at once; it has no --at.") }
        if dryRun, test || at != nil {
            throw ValidationError("--dry-run sends nothing; it has no --test and no --at.")
        }
    }

    func run() async throws {
        if let file {
            let sender = try Connecting.sender(hubOptions, retries: .standard)
            let lines = try Failure.told {
                try LineInput(path: file, bytesMax: SendFile.lineBytesMax)
            }
            let key = idempotencyKey ?? OutgoingNotification.newIdempotencyKey()
            let sending = SendFile(
                lines,
                from: from ?? 1,
                key: key,
                sender: sender,
                json: json
            )
            return try await sending.run()
        }
        var notification = try SendFormat(format).notification(body ?? "", tags: tags)
        notification.headers = try headers.map(Self.header)
        if let idempotencyKey { notification.idempotencyKey = idempotencyKey }
        let time = try at.map { try Self.time($0, now: Date()) }
        try await Connecting.asking(hubOptions) { [notification] sender throws(SenderError) in
            if dryRun {
                AudienceLines.show(try await sender.preview(notification), json: json)
                if !json { await explainSilence(sender) }
            } else if test {
                show(try await sender.test(notification))
            } else if let time {
                show(try await sender.schedule(notification, at: time))
            } else {
                show(try await sender.send(notification))
                if !json { await explainSilence(sender) }
            }
        }
    }

    /// Says of a send without a receiver whom its tags mean instead.
    private func explainSilence(_ sender: SenderClient) async {
        // Only a note beside a send that was accepted: a key may have no right to ask.
        guard let format = try? SendFormat(format),
            let reached = try? await sender.audience(tags: tags, format: format.word),
            reached.registrations == 0,  // A refusal only costs the note.
            let meant = try? await sender.audience(tags: tags)
        else { return }
        let place = tags.map { " with \($0)" } ?? ""
        let parts = AudienceLines.parts(meant)
        let count = meant.registrations
        Terminal.note(
            "it reaches no device: "
                + (count == 0
                    ? "no registration\(place) is there"
                    : "0 of \(AudienceLines.count(count))\(place) match \(format.shown); there is \(parts)")
        )
    }

    /// Whether a byte may stand in a header and in JSON as it is.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// The time as the hub reads it: as it is written, or so much later than now.
    private static func time(_ text: String, now: Date) throws -> String {
        guard text.hasPrefix("+") else { return text }
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }),
            let count = UInt32(text.dropFirst().dropLast())
        else { throw ValidationError("'\(text)' is no time; write +90s, +15m, +2h or +1d.") }
        let time = now.addingTimeInterval(Double(count) * unit)
        return time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private static func header(_ text: String) throws -> NotificationHeader {
        guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
            throw ValidationError("'\(text)' is no header; write 'name: value'.")
        }
        let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        return NotificationHeader(name: String(text[..<colon]), value: value)
    }

    /// One line for each registration, then how many.
    private func show(_ answer: TestAnswer) {
        guard !json else { return Terminal.line(json: answer) }
        let widths = answer.results.reduce(into: (platform: 0, registration: 0)) { widths, result in
            let platform = Platform.shown(result.platform)
            widths.platform = max(widths.platform, platform.count)
            widths.registration = max(widths.registration, result.registration.count)
        }
        for result in answer.results {
            let platform = Platform.shown(result.platform).padding(
                toLength: widths.platform,
                withPad: " ",
                startingAt: 0
            )
            let registration = result.registration.padding(
                toLength: widths.registration,
                withPad: " ",
                startingAt: 0
            )
            Terminal.line("\(platform)  \(registration)  \(result.outcome)")
        }
        let name = answer.notification.map { ", notification \($0)" } ?? ""
        Terminal.line("\(answer.successes) succeeded, \(answer.failures) failed\(name)")
    }

    private func show(_ sent: SentNotification) {
        guard json else {
            Terminal.line("\(at == nil ? "accepted" : "scheduled") \(sent.id)")
            return
        }
        Terminal.line(json: [
            "id": sent.id, "location": sent.location, "trackingId": sent.trackingID,
        ])
    }
}
