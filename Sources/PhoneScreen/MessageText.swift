/// A message as the app backend writes it: `From alice: Tea?`.
struct MessageText: Equatable {
    private static let start = "From "

    /// Who sent it; nil when it does not say.
    let sender: String?
    /// The text without its sender.
    let text: String

    init(_ message: String) {
        let rest = message.dropFirst(Self.start.count)
        let end = rest.firstRange(of: ": ")
        guard message.hasPrefix(Self.start), let end, end.lowerBound > rest.startIndex,
            !rest[..<end.lowerBound].contains(" ")
        else {
            sender = nil
            text = message
            return
        }
        sender = String(rest[..<end.lowerBound])
        text = String(rest[end.upperBound...])
    }
}
