import CommandTerminal
import HubSender

/// Tells a person of an audience.
enum AudienceLines {
    /// How many there are, how they are made up, and some of them.
    static func show(_ answer: AudienceAnswer, json: Bool) {
        guard !json else { return Terminal.line(answer.json) }
        Terminal.line(sum(answer))
        for example in answer.sample {
            let tags = example.tags.joined(separator: ", ")
            let platform = Platform.shown(example.platform)
            Terminal.line("  \(example.kind) \(platform)  \(example.id)  \(tags)")
            if let text = example.text { Terminal.line("    \(text)") }
            if let problem = example.problem { Terminal.line("    nothing: \(problem)") }
        }
    }

    /// How many there are, and each different text that some of them get, once.
    static func showTexts(_ answer: AudienceAnswer) {
        Terminal.line(sum(answer))
        var shown: [(head: String, count: Int)] = []
        for example in answer.sample {
            let head = "\(example.kind) \(Platform.shown(example.platform))"
            let text = example.text ?? "nothing: \(example.problem ?? "no text")"
            let lines = "\(head)\n\(text)"
            if let place = shown.firstIndex(where: { $0.head == lines }) {
                shown[place].count += 1
            } else {
                shown.append((lines, 1))
            }
        }
        for (lines, count) in shown {
            let parts = lines.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            Terminal.line("\(parts[0])\(count > 1 ? ", \(count) of those asked" : "")")
            Terminal.line("  \(parts[1])")
        }
    }

    /// How many there are in one line.
    static func sum(_ answer: AudienceAnswer) -> String {
        var text = count(answer.registrations)
        if !answer.platforms.isEmpty { text += ": " + parts(answer) }
        if answer.withoutDevice > 0 { text += "; \(answer.withoutDevice) of them without a device" }
        return text
    }

    /// How they are made up, such as `2 native apple, 1 template wns`.
    static func parts(_ answer: AudienceAnswer) -> String {
        answer.platforms.map { share in
            "\(share.registrations) \(share.kind) \(Platform.shown(share.platform))"
        }.joined(separator: ", ")
    }

    static func count(_ registrations: Int) -> String {
        registrations == 1 ? "1 registration" : "\(registrations) registrations"
    }
}
