import CommandTerminal
import HubSender
import PhoneScreen

/// An explanation for people: the answer, then what happened, in order.
struct ExplainLines {
    /// Every line.
    let all: [String]

    /// As wide as a time with the space behind it.
    private static let margin = String(repeating: " ", count: 21)

    /// The lines of an answer.
    init(_ answer: ExplainAnswer) {
        var lines = [answer.sentence]
        // Nothing happened to a subject that the hub does not know.
        let isKnown = answer.registrations.contains { $0.platform != nil }
        if isKnown, let accepted = answer.accepted {
            let place = answer.place.map { " at place \($0)" } ?? ""
            let receivers = answer.receivers.map { ", for \($0)" } ?? ""
            lines.append(Self.line(accepted, "accepted\(place)\(receivers)"))
        }
        for entry in answer.registrations where isKnown {
            lines += Self.lines(of: entry, isAlone: answer.registrations.count == 1)
        }
        if isKnown, let time = answer.fannedOut {
            lines.append(Self.line(time, "it had come to every connected device that it is for"))
        }
        if isKnown, let time = answer.expires { lines.append(Self.line(time, "it expires")) }
        all = lines.map { SafeText.line($0) }
    }

    private static func line(_ time: String, _ text: String) -> String {
        "\(Row.second(time))  \(text)"
    }

    /// One registration; its sentence stands on top already when it is the only one.
    private static func lines(of entry: ExplainAnswer.Entry, isAlone: Bool) -> [String] {
        guard let id = entry.registration else {
            return isAlone ? [] : [margin + entry.sentence]
        }
        let platform = entry.platform.map { ", \(Platform.shown($0))" } ?? ""
        let slot = entry.slot.map { ", slot \($0)" } ?? ", made over REST"
        var lines = ["\(margin)registration \(id)\(slot)\(platform)"]
        if let tags = entry.tags {
            let named = tags.isEmpty ? "no tag" : tags.joined(separator: ", ")
            let since = entry.tagsSince.map { " from place \($0)" } ?? ""
            let until = entry.tagsUntil.map { " to \($0 - 1), others since" } ?? " on"
            lines.append("\(margin)  had \(named)\(since)\(until)")
        }
        if let terms = entry.terms, !terms.isEmpty {
            let marked = terms.map { "\($0.holds ? "✓" : "✗") \($0.term)" }
            lines.append("\(margin)  \(marked.joined(separator: "  "))")
        }
        if !isAlone { lines.append("\(margin)  \(entry.sentence)") }
        return lines
    }
}
