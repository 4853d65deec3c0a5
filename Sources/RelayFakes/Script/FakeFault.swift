/// A misbehaviour of a fake that a script asks for.
package enum FakeFault: Hashable, Sendable {
    /// An answer of the service's table, with its detail: seconds of a pause, or a time.
    case answer(word: String, detail: String?)
    /// RST_STREAM with REFUSED_STREAM: not processed.
    case refuse
    /// RST_STREAM with INTERNAL_ERROR: processed, and no answer.
    case reset
    /// GOAWAY that leaves this request unprocessed; the reason is its debug data.
    case goAway(reason: String)
    /// The connection is cut after the request was processed.
    case drop
    /// The request gets no answer.
    case silence
    /// The connection reads nothing for so many seconds, no PING either.
    case freeze(seconds: Int)
    /// The answer comes so many milliseconds later.
    case slow(milliseconds: Int)
    /// The connection allows so many streams from now on.
    case streams(Int)
    /// An answer of ten megabytes.
    case huge
    /// An answer with a thousand headers.
    case wide

    /// Reads a word with an optional detail behind `+`; any other word is an answer's.
    package init?(_ text: String) {
        let parts = text.split(separator: "+", maxSplits: 1).map(String.init)
        guard let word = parts.first else { return nil }
        let detail = parts.count == 2 ? parts[1] : nil
        let number = detail.flatMap { Int($0) }
        switch word {
        case "refuse": self = .refuse
        case "reset": self = .reset
        case "goaway": self = .goAway(reason: detail ?? "")
        case "drop": self = .drop
        case "silence": self = .silence
        case "freeze": self = .freeze(seconds: number ?? 60)
        case "slow": self = .slow(milliseconds: number ?? 1_000)
        case "streams": self = .streams(number ?? 1)
        case "huge": self = .huge
        case "wide": self = .wide
        default: self = .answer(word: word, detail: detail)
        }
    }

    /// The word, as the journal shows it.
    var name: String {
        switch self {
        case .answer(let word, _): word
        case .refuse: "refuse"
        case .reset: "reset"
        case .goAway: "goaway"
        case .drop: "drop"
        case .silence: "silence"
        case .freeze: "freeze"
        case .slow: "slow"
        case .streams: "streams"
        case .huge: "huge"
        case .wide: "wide"
        }
    }
}
