import Foundation
import HubClient

/// Sends every line of a file or of standard input, in order, and says what became of each.
///
/// Lines go out as they come: of a stream, those that are there; of a file, as many as one request
/// holds.
struct SendFile {
    /// What one line became, as `--json` prints it.
    private struct Outcome: Encodable {
        var line: Int
        var status: Int?
        var id: String?
        var location: String?
        var code: Int?
        var detail: String?
    }

    /// How many so far.
    private struct Tally {
        var accepted = 0
        var refused = 0

        var text: String { "accepted \(accepted), refused \(refused)" }
    }

    /// Bytes that are read at once.
    private static let readBytes = 1 << 20
    /// What some editors put in front of UTF-8.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let path: String
    private let sender: SenderClient
    private let json: Bool
    private let notes = SparseNotes()

    init(path: String, sender: SenderClient, json: Bool) {
        self.path = path
        self.sender = sender
        self.json = json
    }

    /// Sends all; the client is closed then.
    /// - Throws: `Failure` when a line was refused or not sent.
    func run() async throws {
        var tally = Tally()
        do {
            try await send(&tally)
        } catch {
            await finish(tally)
            throw error
        }
        await finish(tally)
        guard tally.refused == 0 else {
            let what = tally.refused == 1 ? "1 line was" : "\(tally.refused) lines were"
            throw Failure("\(what) refused")
        }
    }

    private func finish(_ tally: Tally) async {
        notes.clear()
        await sender.close()
        if !json { Terminal.line(tally.text) }
    }

    private func send(_ tally: inout Tally) async throws {
        let handle: FileHandle
        if path == "-" {
            handle = .standardInput
        } else if let file = FileHandle(forReadingAtPath: path) {
            handle = file
        } else {
            throw Failure("cannot read \(path)")
        }
        var number = 0
        var rest: [UInt8] = []
        var isAtEnd = false
        while !isAtEnd {
            let piece = try Self.read(handle.fileDescriptor)
            isAtEnd = piece.isEmpty
            rest += piece
            if isAtEnd, !rest.isEmpty { rest.append(UInt8(ascii: "\n")) }
            let end = rest.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            try await send(rest[..<end], after: &number, &tally)
            rest.removeSubrange(..<end)
            guard rest.count < SenderClient.linesBytesMax else {
                throw Failure(
                    "line \(number + 1) has more than \(SenderClient.linesBytesMax) bytes"
                )
            }
        }
    }

    /// Sends whole lines, in as many requests as they need.
    private func send(
        _ text: ArraySlice<UInt8>,
        after number: inout Int,
        _ tally: inout Tally
    ) async throws {
        var lines: [[UInt8]] = []
        var numbers: [Int] = []
        var bytes = 0
        let text = number == 0 && text.starts(with: Self.byteOrderMark) ? text.dropFirst(3) : text
        for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .dropLast()
        {
            number += 1
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            let isFull = lines.count == SenderClient.linesMax
            if isFull || bytes + line.count + 1 > SenderClient.linesBytesMax {
                try await send(lines, numbers, &tally)
                (lines, numbers, bytes) = ([], [], 0)
            }
            lines.append(Array(line))
            numbers.append(number)
            bytes += line.count + 1
        }
        try await send(lines, numbers, &tally)
    }

    private func send(_ lines: [[UInt8]], _ numbers: [Int], _ tally: inout Tally) async throws {
        guard let first = numbers.first else { return }
        let (outcomes, ended) = await sender.send(lines: lines)
        var untaken: Int?
        for (line, outcome) in zip(numbers, outcomes) {
            switch outcome {
            case .success(let sent):
                tally.accepted += 1
                if json {
                    show(Outcome(line: line, status: 201, id: sent.id, location: sent.location))
                }
            case .failure(.refused(let refused)):
                tally.refused += 1
                show(line, refused)
            case .failure: break
            }
            if untaken == nil, case .failure(let error) = outcome, error.isOfHub || error == ended {
                untaken = line
            }
        }
        notes.show("\(numbers.last ?? first) lines: \(tally.text)")
        guard let ended else { return }
        notes.clear()
        // Every line before this one was accepted, or is refused whenever it is sent. Of this one and
        // those behind it some may have been accepted, if no answer came or they have been sent before.
        throw Failure("stopped; go on from line \(untaken ?? first): \(ended)")
    }

    private func show(_ line: Int, _ refused: RefusedRequest) {
        guard json else {
            notes.clear()
            return Terminal.note("line \(line): \(SenderError.refused(refused))")
        }
        show(
            Outcome(line: line, status: refused.status, code: refused.code, detail: refused.detail)
        )
    }

    private func show(_ outcome: Outcome) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if let data = try? encoder.encode(outcome) {
            Terminal.line(String(decoding: data, as: UTF8.self))
        }
    }

    /// What is there to be read, waiting for the first byte; empty at the end.
    private static func read(_ descriptor: Int32) throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: readBytes)
        while true {
            // The call writes at most what the array holds.
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe Foundation.read(descriptor, bytes.baseAddress, bytes.count)
            }
            if count >= 0 { return Array(buffer[..<count]) }
            guard errno == EINTR else { throw Failure("cannot read any further: error \(errno)") }
        }
    }
}
