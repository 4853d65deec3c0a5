import HubClient

/// Tells a person of an audience.
enum AudienceLines {
    /// How many there are, how they are made up, and some of them.
    static func show(_ answer: AudienceAnswer, json: Bool) {
        guard !json else { return Terminal.line(answer.json) }
        Terminal.line(sum(answer))
        for example in answer.sample {
            let tags = example.tags.joined(separator: ", ")
            Terminal.line("  \(example.kind) \(example.platform)  \(example.id)  \(tags)")
            if let text = example.text { Terminal.line("    \(text)") }
            if let problem = example.problem { Terminal.line("    nothing: \(problem)") }
        }
    }

    /// How many there are in one line.
    static func sum(_ answer: AudienceAnswer) -> String {
        var text = count(answer.registrations)
        if !answer.platforms.isEmpty { text += ": " + parts(answer) }
        if answer.withoutDevice > 0 { text += "; \(answer.withoutDevice) of them without a device" }
        return text
    }

    /// How they are made up, such as `2 native apple, 1 template windows`.
    static func parts(_ answer: AudienceAnswer) -> String {
        answer.platforms.map { "\($0.registrations) \($0.kind) \($0.platform)" }
            .joined(separator: ", ")
    }

    static func count(_ registrations: Int) -> String {
        registrations == 1 ? "1 registration" : "\(registrations) registrations"
    }
}
