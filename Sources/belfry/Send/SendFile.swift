import CommandTerminal
import Foundation
import HubData
import HubRules
import HubSender
import HubVocabulary

/// Sends every line of a file or of standard input, in order, and says what became of each.
///
/// Lines go out as they come: of a stream, those that are there; of a file, as many as one request
/// holds. A line that has no idempotency key gets one of the file's key and its number: it is the
/// same notification however often it is sent, by this command or by one that goes on.
struct SendFile {
    /// Bytes of the key of a file, so that there is room for the number of any line.
    static let keyBytesMax = CoreLimits.standard.idempotency.idempotencyKeyBytesMax - 20

    /// Bytes of a line, which with its line feed must fit into a request.
    static let lineBytesMax = SenderClient.linesBytesMax - 1

    /// The lines of one request, and those between them that fit into none.
    private struct Batch {
        private(set) var lines: [LineInput.Line] = []
        private var bytes = 0

        /// Adds a line, if there is room for it.
        mutating func add(_ line: LineInput.Line) -> Bool {
            let bytes = self.bytes + (line.bytes.map { $0.count + 1 } ?? 0)
            guard lines.count < SenderClient.linesMax, bytes <= SenderClient.linesBytesMax else {
                return false
            }
            lines.append(line)
            self.bytes = bytes
            return true
        }
    }

    private let from: Int
    private let key: String
    private let sender: SenderClient
    private var input: LineInput
    /// Read, and for the next request.
    private var held: LineInput.Line?
    private var report: SendFileReport

    init(_ input: LineInput, from: Int, key: String, sender: SenderClient, json: Bool) {
        self.input = input
        self.from = from
        self.key = key
        self.sender = sender
        report = SendFileReport(json: json)
    }

    /// Sends all; the client is closed then.
    /// - Throws: `Failure` when a line was refused or not sent.
    func run() async throws {
        var sending = self
        do {
            try await sending.sendAll()
        } catch {
            await sending.finish()
            throw error
        }
        await sending.finish()
        try sending.report.check()
    }

    private func finish() async {
        await sender.close()
        report.finish()
    }

    private mutating func sendAll() async throws {
        while true {
            var problem: Failure?
            var batch = Batch()
            do {
                batch = try nextBatch()
            } catch let error as UnreadableRest {
                (batch, problem) = (error.batch, error.reason)
            }
            if batch.lines.isEmpty, problem == nil { return }
            try await send(batch)
            if let problem { throw problem }
            guard !report.looksStrange else {
                throw Failure("stopped: this looks like no NDJSON, one JSON object a line")
            }
        }
    }

    /// The lines that were read before the input failed.
    private struct UnreadableRest: Error {
        var batch: Batch
        var reason: Failure
    }

    /// The next lines that are there, as many as one request holds; waits for the first one.
    private mutating func nextBatch() throws -> Batch {
        var batch = Batch()
        do {
            while let line = try next(waits: batch.lines.isEmpty) {
                guard batch.add(line) else {
                    held = line
                    break
                }
            }
        } catch let error as Failure {
            throw UnreadableRest(batch: batch, reason: error)
        }
        return batch
    }

    private mutating func next(waits: Bool) throws -> LineInput.Line? {
        if let line = held {
            held = nil
            return line
        }
        while var line = try Failure.told({ try input.next(waits: waits) }) {
            guard line.number >= from else { continue }
            line.bytes = line.bytes.map { SendLine.line($0, withKey: "\(key)/\(line.number)") }
            if let bytes = line.bytes, bytes.count > Self.lineBytesMax { line.bytes = nil }
            return line
        }
        return nil
    }

    private mutating func send(_ batch: Batch) async throws {
        let (outcomes, ended) = await sender.send(lines: batch.lines.compactMap(\.bytes))
        var told = outcomes.makeIterator()
        var untaken: Int?
        for line in batch.lines {
            guard line.bytes != nil, let outcome = told.next() else {
                report.tellTooLong(line.number)
                continue
            }
            report.tell(line.number, outcome)
            guard untaken == nil, case .failure(let error) = outcome else { continue }
            if error.isOfHub || error == ended { untaken = line.number }
        }
        report.showProgress(through: batch.lines.last?.number ?? 0)
        guard let ended else { return }
        try tellRest()
        // Every line before this one was accepted, or is refused whenever it is sent. Of this one and
        // those behind it some may have been accepted, if no answer came or they have been sent before.
        let place = untaken ?? batch.lines.first?.number ?? from
        throw Failure(
            "stopped; go on with --from \(place) --idempotency-key \(key): \(ended)"
        )
    }

    /// Says that the lines behind were not sent.
    ///
    /// A file is read to its end for that. A stream may never end, so only its lines that have been
    /// read are told.
    private mutating func tellRest() throws {
        if let line = held { report.tellUnsent(line.number) }
        held = nil
        while let line = input.isFile ? try input.next(waits: true) : input.nextRead() {
            if line.number >= from { report.tellUnsent(line.number) }
        }
    }
}
