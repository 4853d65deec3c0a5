package import HubVocabulary

/// A bulk job as the store keeps it; reads exactly what it writes.
///
///     | format: u8 = 2 | id: str16 | kind: u8 | output: str16 | input: str16, empty for none |
///     | rule: str16 | created: u64 | updated: u64 | status: u8 | done: u64 | failed: u64 |
///     | permille: u16 | failure: str16 | properties: u8 n x ( str16 | str16 ) |
///
/// Integers are big-endian, times milliseconds since 1970. Jobs that were written before there were
/// properties have format 1 and end in front of them.
package enum JobCodec {
    /// The first byte of an encoded job.
    package static let format: UInt8 = 2
    /// The first byte of a job without properties, as earlier releases wrote it.
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
