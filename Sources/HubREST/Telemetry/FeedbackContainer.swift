import HubModel
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
            let (parts, following) = try await parts(from: start)
            all += parts.map(Blob.init)
            next = following
        }
        return all.sorted { $0.name < $1.name }
    }

    /// The blob with a name; nil when there is none.
    func blob(named name: [UInt8]) async throws(RequestFailure) -> Blob? {
        let text = String(decoding: name, as: UTF8.self)
        guard let dash = text.firstIndex(of: "-"),
            let block = UInt64(text[text.index(after: dash)...])
        else { return nil }
        let start = block.multipliedReportingOverflow(by: limits.departuresPerPart)
        guard !start.overflow else { return nil }
        let found = try await parts(from: start.partialValue).parts
        return found.lazy.map(Blob.init).first { $0.name == text }
    }

    /// The content of a blob: a document on each line.
    func content(_ blob: Blob) async throws(RequestFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var next = blob.part.numbers.lowerBound
        while next <= blob.part.numbers.upperBound {
            let question = DepartureQuestion.rows(next...blob.part.numbers.upperBound)
            guard case .rows(let rows) = try await ask(question) else { throw .mismatch }
            // They grew too old meanwhile.
            guard let last = rows.last else { break }
            for row in rows { bytes += PnsFeedback(row).line }
            next = last.number + 1
        }
        return bytes
    }

    private func parts(
        from start: UInt64
    ) async throws(RequestFailure) -> (parts: [DeparturePart], next: UInt64?) {
        guard case .parts(let parts, let next) = try await ask(.parts(from: start)) else {
            throw .mismatch
        }
        return (parts, next)
    }

    private func ask(
        _ question: DepartureQuestion
    ) async throws(RequestFailure) -> DepartureAnswer {
        let command = HubCommand.departures(question)
        let reply = try await CommandBridge.submit(command, to: hub, of: service)
        guard case .departures(let answer) = reply else { throw .mismatch }
        return answer
    }
}
