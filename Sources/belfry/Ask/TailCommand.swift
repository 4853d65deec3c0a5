import ArgumentParser
import CommandTerminal
import Foundation
import HubSender

/// `belfry tail`.
struct TailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Prints each event of a hub as it comes.",
        usage: "belfry tail [<options>]",
        discussion: """
            Kinds: accepted (notifications), refused (requests), changed (by administrators), \
            connected, ended and leftOut (devices; the last counts events that came too fast), told \
            (by the hub's directory), notice. Control-C ends it. No event has a payload.

            --since and --until take a time as 'belfry notification list' does; the hub keeps the \
            newest events only.

            Examples:
              belfry tail --data ./data
              belfry tail --data ./data --kinds accepted,refused --json
              belfry tail --data ./data --since 2h --until 1h
            """
    )

    private static let kinds = [
        "accepted", "refused", "changed", "told", "notice", "connected", "ended", "leftOut",
    ]
    /// Seconds that the hub may wait for an event.
    private static let waitSeconds = 20

    @OptionGroup var hubOptions: HubOptions
    @OptionGroup var span: SpanOptions

    @Option(help: "Kinds of events, with commas between them; all without it.")
    var kinds: String?

    @Option(help: "Goes on behind the event of this number.")
    var after: UInt64?

    @Flag(help: "Prints each event as a line of JSON.")
    var json = false

    func validate() throws {
        if after != nil, span.since != nil {
            throw ValidationError("Name one of --after and --since.")
        }
        for kind in kinds?.split(separator: ",").map(String.init) ?? []
        where !Self.kinds.contains(kind) {
            throw ValidationError.wrong(kind, kind: "kind of event", words: Self.kinds)
        }
    }

    func run() async throws {
        try await Signals.cancelling { [self] in
            let sender = try Connecting.sender(hubOptions)
            let (since, until) = try span.texts()
            var last = after
            while true {
                let text: String
                do throws(SenderError) {
                    let place = last.map { "\($0)" }
                    text = try await sender.row(
                        .get,
                        EventPage.path,
                        [
                            "after": place, "wait": "\(Self.waitSeconds)", "kinds": kinds,
                            "since": since, "until": until,
                        ]
                    )
                } catch {
                    await sender.close()
                    if Task.isCancelled { return }
                    throw Failure(error, of: sender)
                }
                let page = try Row.read(text, as: EventPage.self)
                if page.lost > 0 { Terminal.note("\(page.lost) events are lost") }
                for event in page.events {
                    if json { Terminal.line(json: event) } else { Terminal.line(event.line) }
                }
                last = page.last
                if until != nil, page.events.isEmpty { return await sender.close() }
            }
        }
    }
}
