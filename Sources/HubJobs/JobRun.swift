import Foundation
import HubDirectory
import HubModel
import HubQuestions
import HubRules
import HubTransport
import HubVocabulary
import SystemPackage

/// One bulk job while it is carried out; used by one task.
///
/// Memory is bounded by a block of input, the lines that wait for the hub at once, and a block of
/// output, however much there is to do.
final class JobRun {
    private let job: BulkJob
    private let hub: HubName
    private let folder: JobFolder
    private let places: JobPlaces
    private let limits: CoreLimits
    private let writer: any JobHub
    private let grant: AccessGrant
    private var report = JobReport(status: .running)
    private var lastNoted = Clock.now.instant

    /// Milliseconds between two notes of how far the job is.
    private static let noteMilliseconds: UInt64 = 1_000
    /// Seconds for which a hub that takes nothing is asked again.
    private static let patienceSeconds = 60

    init(
        _ job: BulkJob,
        of hub: HubName,
        folder: JobFolder,
        places: JobPlaces,
        limits: CoreLimits,
        writer: any JobHub
    ) {
        self.job = job
        self.hub = hub
        self.folder = folder
        self.places = places
        self.limits = limits
        self.writer = writer
        grant = AccessGrant(rule: job.request.rule, rights: [.listen, .manage])
    }

    /// Carries the job out and has its end noted; one that is interrupted stays where it is.
    func carryOut() async -> JobReport {
        do throws(JobFailure) {
            try await note()
            try folder.begin()
            let files = try Results(folder, limits: limits)
            do throws(JobFailure) {
                try await work(into: files)
            } catch .failed(let reason) {
                // Lines that were carried out before are told too, if they can be: the job's report
                // has room for one reason, and the first one explains the other.
                try? await publish(files)
                throw .failed(reason)
            }
            try await publish(files)
            report.status = .completed
            report.permille = 1_000
        } catch .failed(let reason) {
            report.status = .failed
            report.failure = reason
        } catch {}
        folder.end()
        await noteEnd()
        return report
    }

    private func work(into files: Results) async throws(JobFailure) {
        if job.request.kind == .exportRegistrations {
            try await exportAll(into: files)
        } else {
            try await importAll(into: files)
        }
    }

    // MARK: Export

    private func exportAll(into files: Results) async throws(JobFailure) {
        let total = max(1, try await registrationCount())
        var after = RegistrationNumber(0)
        while true {
            let page = try await answer(
                to: ListRegistrations(
                    .all,
                    after: after,
                    limit: limits.registrations.pageRegistrationsMax
                )
            )
            for registration in page.entries {
                try files.output.append(RegistrationLine.text(registration))
            }
            report.done += UInt64(page.entries.count)
            try await progressed(report.done, of: total)
            guard let next = page.next else { return }
            after = next
        }
    }

    private func registrationCount() async throws(JobFailure) -> UInt64 {
        var count: UInt64 = 0
        var start: UInt32? = 0
        while let from = start {
            let part = try await answer(
                to: InspectAudience(.broadcast, format: nil, sample: 0, from: from)
            )
            count += UInt64(part.found.registrations)
            start = part.next
        }
        return count
    }

    // MARK: Import

    private func importAll(into files: Results) async throws(JobFailure) {
        var splitter = LineSplitter(limit: limits.jobs.jobLineBytesMax)
        switch try place(job.request.input ?? "", isFile: true) {
        case .folder(let names):
            let (file, bytes) = try folder.reading(names)
            let input = JobFile(file, bytesMax: .max)
            var place: UInt64 = 0
            while true {
                let part: [UInt8]
                do { part = try input.read(at: place) } catch {
                    throw .failed("The input cannot be read: \(error).")
                }
                guard !part.isEmpty else { break }
                place += UInt64(part.count)
                try checkInput(place)
                try await carryOut(splitter.lines(of: part), into: files)
                try await progressed(place, of: max(bytes, place))
            }
        case .web(let address):
            try await JobWebFiles.read(address) { (part, place, bytes) async throws(JobFailure) in
                try self.checkInput(place)
                try await self.carryOut(splitter.lines(of: part), into: files)
                try await self.progressed(place, of: max(bytes ?? 0, place))
            }
        }
        try await carryOut(splitter.last(), into: files)
    }

    private func checkInput(_ bytes: UInt64) throws(JobFailure) {
        guard bytes <= limits.jobs.jobInputBytesMax else {
            throw .failed("The input has more than \(limits.jobs.jobInputBytesMax) bytes.")
        }
    }

    private func carryOut(
        _ lines: [LineSplitter.Line],
        into files: Results
    ) async throws(JobFailure) {
        var rest = lines[...]
        while !rest.isEmpty {
            let some = rest.prefix(limits.jobs.jobLinesAtOnce)
            rest = rest.dropFirst(some.count)
            var changes: [ImportLine] = []
            var readings: [Refusal?] = []
            for line in some {
                do throws(Refusal) {
                    changes.append(try change(of: line))
                    readings.append(nil)
                } catch { readings.append(error) }
            }
            var answers = try await answers(to: changes)[...]
            for (line, refusal) in zip(some, readings) {
                let outcome = refusal.map { .failure($0) } ?? answers.removeFirst()
                try note(outcome, of: line, into: files)
            }
            guard !Task.isCancelled else { throw .cancelled }
        }
    }

    private func change(of line: LineSplitter.Line) throws(Refusal) -> ImportLine {
        guard !line.isTooLong else {
            throw .invalid(
                field: "Line",
                reason: "has more than \(limits.jobs.jobLineBytesMax) bytes."
            )
        }
        return try RegistrationLine.change(
            of: line.bytes,
            as: job.request.kind,
            grant: grant,
            limits: limits
        )
    }

    private func note(
        _ outcome: Result<Registration?, Refusal>,
        of line: LineSplitter.Line,
        into files: Results
    ) throws(JobFailure) {
        switch outcome {
        case .success(let stored?):
            report.done += 1
            try files.output.append(RegistrationLine.text(stored))
        case .success(nil):
            report.done += 1
            try files.output.append(line.bytes)
        case .failure(let refusal):
            report.failed += 1
            let detail = refusal.detail.utf8.map { $0 < 0x20 ? 0x20 : $0 }
            let place = Array("line \(line.number): ".utf8)
            try files.failed.append(place + detail + [UInt8(ascii: "\t")] + line.bytes)
        }
    }

    // MARK: Results

    private func publish(_ files: Results) async throws(JobFailure) {
        let place = try place(job.request.output, isFile: false)
        try files.output.finish()
        try files.failed.finish()
        let below = job.resultFolder(of: hub)
        switch place {
        case .folder(let names):
            try folder.publish(BulkJob.outputFile, in: names + below)
            try folder.publish(BulkJob.failedFile, in: names + below)
        case .web(let address):
            for (name, isFailed) in [(BulkJob.outputFile, false), (BulkJob.failedFile, true)] {
                // The doubled slash is what clients know.
                let file = [below[0], "", below[1], below[2], name]
                try await JobWebFiles.write(
                    address,
                    file,
                    isFailed ? files.failed.parts : files.output.parts,
                    bytes: isFailed ? files.failed.bytes : files.output.bytes
                )
            }
        }
    }

    /// Reads a place again: the operator's choice may have changed since the job was made.
    private func place(_ text: String, isFile: Bool) throws(JobFailure) -> JobPlace {
        do throws(Refusal) {
            return try places.place(
                text,
                field: isFile ? "ImportFileUri" : "OutputContainerUri",
                isFile: isFile
            )
        } catch { throw .failed(error.detail) }
    }

    // MARK: The hub

    private func answer<Request: HubRequest>(
        to request: Request
    ) async throws(JobFailure) -> Request.Reply {
        switch try await answers(to: [request])[0] {
        case .success(let reply): return reply
        case .failure(let refusal): throw .failed(refusal.detail)
        }
    }

    /// Returns the outcomes of requests; those that the hub could not take now are asked again.
    private func answers<Request: HubRequest>(
        to requests: [Request]
    ) async throws(JobFailure) -> [Result<Request.Reply, Refusal>] {
        var answers = await GatheredAnswers.of(requests, writer: writer)
        for _ in 0..<Self.patienceSeconds {
            var again: [Int] = []
            for (place, answer) in answers.enumerated() {
                guard case .failure(let refusal) = answer else { continue }
                switch refusal {
                case .throttled, .tooFast, .storeUnavailable, .storeUnanswered:
                    again.append(place)
                case .stopping, .hubNotFound: throw .cancelled
                case .storeFull: throw .failed(refusal.detail)
                default: break
                }
            }
            guard !again.isEmpty else { return answers }
            try await pause()
            let repeated = await GatheredAnswers.of(again.map { requests[$0] }, writer: writer)
            for (place, answer) in zip(again, repeated) { answers[place] = answer }
        }
        throw .failed("The hub did not take requests for \(Self.patienceSeconds) seconds.")
    }

    private func pause() async throws(JobFailure) {
        do { try await Task.sleep(for: .seconds(1)) } catch { throw .cancelled }
    }

    private func progressed(_ done: UInt64, of total: UInt64) async throws(JobFailure) {
        guard !Task.isCancelled else { throw .cancelled }
        let parts = Double(done) / Double(max(total, 1)) * 1_000
        report.permille = UInt16(max(Double(report.permille), min(parts, 999)))
        let waited = Clock.now.instant.milliseconds(since: lastNoted)
        if waited >= Self.noteMilliseconds { try await note() }
    }

    private func note() async throws(JobFailure) {
        lastNoted = Clock.now.instant
        _ = try await answer(to: ReportJob(job.id, report))
    }

    /// Has the end noted, however long the store needs; an interrupted job notes how far it is.
    private func noteEnd() async {
        while true {
            let answer = await GatheredAnswers.of([ReportJob(job.id, report)], writer: writer)[0]
            switch answer {
            case .success: return
            case .failure(.throttled), .failure(.storeUnavailable), .failure(.storeUnanswered),
                .failure(.storeFull):
                do throws(JobFailure) { try await pause() } catch { return }
            case .failure: return
            }
        }
    }
}

/// The two files of a job's results.
private final class Results {
    var output: JobFile
    var failed: JobFile

    init(_ folder: JobFolder, limits: CoreLimits) throws(JobFailure) {
        output = JobFile(
            try folder.making(BulkJob.outputFile),
            bytesMax: limits.jobs.jobOutputBytesMax
        )
        failed = JobFile(
            try folder.making(BulkJob.failedFile),
            bytesMax: limits.jobs.jobOutputBytesMax
        )
    }
}
