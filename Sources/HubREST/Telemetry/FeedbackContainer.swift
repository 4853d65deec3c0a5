import HubAtom
import HubDirectory
import HubModel
import HubQuestions
import HubRules
import HubVocabulary

/// The journal of departures as blobs of a container.
///
/// A name is the day, month first, and the part of the journal: `05042026-0000000012`.
/// Source: REST §12.
struct FeedbackContainer {
    /// One blob.
    struct Blob {
        var name: String
        var part: DeparturePart

        init(_ part: DeparturePart) {
            let morning = Timestamp(milliseconds: 0).adding(seconds: part.day * 86_400)
            let block = String(part.block)
            let zeros = String(repeating: "0", count: max(0, 10 - block.utf8.count))
            name = "\(CivilTime(morning).monthFirst)-\(zeros)\(block)"
            self.part = part
        }

        /// Changes with the rows that it has.
        var etag: String {
            let (first, last) = (part.numbers.lowerBound, part.numbers.upperBound)
            return
                "0x\(String(first, radix: 16).uppercased())X\(String(last, radix: 16).uppercased())"
        }
    }

    let service: any HubService
    let hub: HubName
    let limits: CoreLimits

    /// Every blob, ascending by name.
    func blobs() async throws(RequestFailure) -> [Blob] {
        var all: [Blob] = []
        var next: UInt64? = 0
        while let start = next {
            let page = try await ask(ListDepartureParts(from: start))
            all += page.entries.map(Blob.init)
            next = page.next
        }
        return all.sorted { $0.name < $1.name }
    }

    /// The blob with a name; nil when there is none.
    func blob(named name: [UInt8]) async throws(RequestFailure) -> Blob? {
        let text = String(decoding: name, as: UTF8.self)
        guard let dash = text.firstIndex(of: "-"),
            let block = UInt64(text[text.index(after: dash)...])
        else { return nil }
        let start = block.multipliedReportingOverflow(by: limits.feedback.departuresPerPart)
        guard !start.overflow else { return nil }
        let found = try await ask(ListDepartureParts(from: start.partialValue))
        return found.entries.lazy.map(Blob.init).first { $0.name == text }
    }

    /// The content of a blob: a document on each line.
    func content(_ blob: Blob) async throws(RequestFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var next = blob.part.numbers.lowerBound
        while next <= blob.part.numbers.upperBound {
            let rows = try await ask(GetDepartures(next...blob.part.numbers.upperBound))
            // They grew too old meanwhile.
            guard let last = rows.last else { break }
            for row in rows { bytes += PnsFeedback(row).line }
            next = last.number + 1
        }
        return bytes
    }

    private func ask<Question: HubQuestion>(
        _ question: Question
    ) async throws(RequestFailure) -> Question.Reply {
        try await CommandBridge.submit(question, to: hub, of: service)
    }
}
