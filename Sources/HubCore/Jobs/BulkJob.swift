/// One bulk job: 19 digits that count down as time goes, so that the newest sort first, and a
/// random part in the form of a UUID.
///
/// Source: REST §13.
package struct JobID: Hashable, Comparable, Sendable {
    /// How REST names it: 55 ASCII characters.
    package let text: String

    private static let digits = 19
    private static let length = 55

    /// A new id that nobody can guess.
    static func make(now: Timestamp, random: inout some RandomNumberGenerator) -> JobID {
        // Ticks of 100 ns from the year 1 to the end of the year 9999, and to 1970.
        let last: UInt64 = 3_155_378_975_999_999_999
        let epoch: UInt64 = 621_355_968_000_000_000
        let passed = min(now.milliseconds, (last - epoch) / 10_000) * 10_000
        let ticks = String(last - epoch - passed)
        let id = NotificationID(
            high: random.next() & ~0xF000 | 0x4000,
            low: 0x8000_0000_0000_0000 | random.next() >> 2
        )
        let hex = Array(id.text.utf8)
        var text = Array(repeating: UInt8(ascii: "0"), count: digits - ticks.utf8.count)
        text += ticks.utf8
        for (place, digit) in hex.enumerated() {
            if [8, 12, 16, 20].contains(place) { text.append(UInt8(ascii: "-")) }
            text.append(digit)
        }
        return JobID(unchecked: String(decoding: text, as: UTF8.self))
    }

    private init(unchecked text: String) { self.text = text }

    /// Reads an id; nil when the text is none.
    package init?(text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == Self.length else { return nil }
        for (place, byte) in bytes.enumerated() {
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            let isHex = isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            switch place - Self.digits {
            case ..<0: guard isDigit else { return nil }
            case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return nil }
            default: guard isHex else { return nil }
            }
        }
        self.text = text
    }

    package static func < (left: JobID, right: JobID) -> Bool { left.text < right.text }
}

/// What a bulk job does; raw values are stored.
///
/// Source: REST §13.
package enum JobKind: UInt8, CaseIterable, Sendable {
    /// Writes every registration.
    case exportRegistrations = 1
    /// Makes a registration under a new id of each line.
    case importCreate = 2
    /// Replaces the registrations that lines name.
    case importUpdate = 3
    /// Deletes the registrations that lines name.
    case importDelete = 4
    /// Replaces those that are named and there, makes the others.
    case importUpsert = 5

    /// The word of the API.
    package var word: String {
        switch self {
        case .exportRegistrations: "ExportRegistrations"
        case .importCreate: "ImportCreateRegistrations"
        case .importUpdate: "ImportUpdateRegistrations"
        case .importDelete: "ImportDeleteRegistrations"
        case .importUpsert: "ImportUpsertRegistrations"
        }
    }
}

/// Where a bulk job is; raw values are stored.
///
/// Source: REST §13.
package enum JobStatus: UInt8, Sendable {
    /// Waits for its turn.
    case started = 1
    /// Is being carried out.
    case running = 2
    /// Everything was tried; lines that failed are in a file of their own.
    case completed = 3
    /// Ended early; `BulkJob.failure` says why.
    case failed = 4

    /// The word of the API.
    package var word: String {
        switch self {
        case .started: "Started"
        case .running: "Running"
        case .completed: "Completed"
        case .failed: "Failed"
        }
    }

    /// Whether nothing will happen any more.
    package var isFinal: Bool { self == .completed || self == .failed }
}

/// What a caller asks for as a bulk job; both places are allowed ones.
package struct JobRequest: Hashable, Sendable {
    /// What it does.
    package var kind: JobKind
    /// Where the results go, as the caller spelled it.
    package var output: String
    /// What is read, as the caller spelled it; nil for an export.
    package var input: String?
    /// The access rule of the caller.
    package var rule: String
    /// What the caller noted with it; comes back with the job and means nothing here.
    package var properties: [NamedValue]

    /// Makes a request.
    package init(
        kind: JobKind,
        output: String,
        input: String?,
        rule: String,
        properties: [NamedValue] = []
    ) {
        self.kind = kind
        self.output = output
        self.input = input
        self.rule = rule
        self.properties = properties
    }
}

/// How far a job is, as whoever carries it out says.
package struct JobReport: Hashable, Sendable {
    /// `.running`, or how it ended.
    package var status: JobStatus
    /// Lines that were carried out, or registrations that were written.
    package var done: UInt64
    /// Lines that were refused.
    package var failed: UInt64
    /// Of 1,000 parts; 1,000 only when it is completed.
    package var permille: UInt16
    /// Why it failed; empty otherwise.
    package var failure: String

    /// Makes a report.
    package init(
        status: JobStatus,
        done: UInt64 = 0,
        failed: UInt64 = 0,
        permille: UInt16 = 0,
        failure: String = ""
    ) {
        self.status = status
        self.done = done
        self.failed = failed
        self.permille = permille
        self.failure = failure
    }
}

/// A bulk job of a hub.
///
/// Source: REST §13.
package struct BulkJob: Hashable, Sendable {
    /// Its name.
    package let id: JobID
    /// What was asked for.
    package let request: JobRequest
    /// When it was asked for.
    package let created: Timestamp
    /// When it last changed.
    package internal(set) var updated: Timestamp
    /// How far it is.
    package internal(set) var report: JobReport

    /// Makes a job that waits.
    init(id: JobID, request: JobRequest, created: Timestamp) {
        self.id = id
        self.request = request
        self.created = created
        updated = created
        report = JobReport(status: .started)
    }

    /// The folder of its results below the output's place: namespace, hub, job.
    package func resultFolder(of hub: HubName) -> [String] {
        [Self.namespace, hub.description, id.text]
    }

    /// What the namespace is called in the paths of results.
    package static let namespace = "belfry"
    /// The file of what was carried out.
    package static let outputFile = "Output.txt"
    /// The file of the lines that were refused, each behind the reason.
    package static let failedFile = "Failed.txt"
}

/// A bulk job as the store keeps it; reads exactly what it writes.
///
///     | format: u8 = 2 | id: str16 | kind: u8 | output: str16 | input: str16, empty for none |
///     | rule: str16 | created: u64 | updated: u64 | status: u8 | done: u64 | failed: u64 |
///     | permille: u16 | failure: str16 | properties: u8 n x ( str16 | str16 ) |
///
/// Integers are big-endian, times milliseconds since 1970. What was written before there were
/// properties has format 1 and ends in front of them.
package enum JobCodec {
    /// The first byte of what is written.
    package static let format: UInt8 = 2
    /// The first byte of what was written before there were properties.
    private static let formatWithoutProperties: UInt8 = 1

    /// The bytes of a job.
    package static func encode(_ job: BulkJob) -> [UInt8] {
        var writer = RecordWriter(format: format, capacity: 256)
        writer.medium(job.id.text.utf8)
        writer.integer(job.request.kind.rawValue)
        writer.medium(job.request.output.utf8)
        writer.medium((job.request.input ?? "").utf8)
        writer.medium(job.request.rule.utf8)
        writer.integer(job.created.milliseconds)
        writer.integer(job.updated.milliseconds)
        writer.integer(job.report.status.rawValue)
        writer.integer(job.report.done)
        writer.integer(job.report.failed)
        writer.integer(job.report.permille)
        writer.medium(job.report.failure.utf8)
        writer.pairs(job.request.properties)
        return writer.bytes
    }

    /// The job of some bytes.
    ///
    /// - Throws: what is wrong with the bytes. Never traps, whatever they are.
    package static func decode(_ bytes: Span<UInt8>) throws(RecordProblem) -> BulkJob {
        let isOld = !bytes.isEmpty && bytes[0] == formatWithoutProperties
        var reader = try RecordReader(bytes, format: isOld ? formatWithoutProperties : format)
        guard let id = JobID(text: try text(&reader)) else { throw .badField("id") }
        guard let kind = JobKind(rawValue: try reader.integer()) else { throw .badField("kind") }
        let output = try text(&reader)
        let input = try text(&reader)
        let rule = try text(&reader)
        let created = Timestamp(milliseconds: try reader.integer())
        let updated = Timestamp(milliseconds: try reader.integer())
        guard let status = JobStatus(rawValue: try reader.integer()) else {
            throw .badField("status")
        }
        let done = try reader.integer(UInt64.self)
        let failed = try reader.integer(UInt64.self)
        let permille = try reader.integer(UInt16.self)
        let failure = try text(&reader)
        let properties = isOld ? [] : try reader.pairs()
        try reader.expectEnd()
        let request = JobRequest(
            kind: kind,
            output: output,
            input: input.isEmpty ? nil : input,
            rule: rule,
            properties: properties
        )
        var job = BulkJob(id: id, request: request, created: created)
        job.updated = updated
        job.report = JobReport(
            status: status,
            done: done,
            failed: failed,
            permille: permille,
            failure: failure
        )
        return job
    }

    private static func text(_ reader: inout RecordReader) throws(RecordProblem) -> String {
        guard let text = String(validating: try reader.medium(), as: UTF8.self) else {
            throw .badField("text")
        }
        return text
    }
}
