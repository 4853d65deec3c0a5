import FoundationEssentials
import HubAtom
import HubModel
import HubVocabulary

/// Writes the outcomes of a request with many sends, each on a line of its own.
struct SendLinesWriter {
    /// The lines so far.
    private(set) var bytes: [UInt8] = []
    private let front: [UInt8]
    private let back: [UInt8]
    private let encoder = JSONEncoder()
    /// The last time that was spelled, in seconds.
    private var time: (second: UInt64, text: String) = (.max, "")

    /// For notifications whose addresses are an id between two texts.
    init(_ address: (front: String, back: String)) {
        encoder.outputFormatting = [.withoutEscapingSlashes]
        front = Array("\",\"location\":".utf8) + Self.json(address.front, encoder).dropLast()
        back = Self.json(address.back, encoder).dropFirst() + Array("}\n".utf8)
    }

    /// Adds the outcome of a line.
    mutating func write(_ outcome: Result<AcceptedSend, Refusal>, line: Int) {
        append("{\"line\":\(line),\"status\":")
        switch outcome {
        case .success(let send):
            let id = NotificationAddress.text(
                send.id,
                send.sequence,
                time: spelled(send.id.time)
            )
            append("201,\"id\":\"")
            append(id)
            bytes += front
            append(id)
            bytes += back
        case .failure(let refusal):
            append("\(refusal.status),\"code\":\(refusal.subCode),\"detail\":")
            bytes += Self.json(refusal.detail, encoder)
            if case .storeUnanswered = refusal {
                append(",\"outcome\":\"\(OutcomeHeader.unknown)\"")
            }
            if let seconds = RequestFailure.refused(refusal).retryAfterSeconds {
                append(",\"retryAfterSeconds\":\(seconds)")
            }
            append("}\n")
        }
    }

    private mutating func spelled(_ time: Timestamp) -> String {
        let second = time.milliseconds / 1_000
        if second != self.time.second { self.time = (second, CivilTime(time).compact) }
        return self.time.text
    }

    private mutating func append(_ text: String) { bytes += text.utf8 }

    /// A text as a JSON string, with its quotes.
    private static func json(_ text: String, _ encoder: JSONEncoder) -> [UInt8] {
        // Every string is JSON; only numbers that are not finite are not.
        (try? encoder.encode(text)).map { Array($0) } ?? Array("\"\"".utf8)
    }
}
