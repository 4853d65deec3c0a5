import HubDirectory
@testable import HubHarness
import HubModel
import HubQuestions
import HubRules
import HubVocabulary
import Testing

extension DirectoryHarness {
    func create(_ kind: JobKind = .exportRegistrations) throws -> BulkJob {
        let input = kind == .exportRegistrations ? nil : "file:///in.txt"
        let request = JobRequest(kind: kind, output: "file:///out", input: input, rule: "full")
        return try job(CreateJob(request))
    }

    func job<Request: HubRequest>(_ request: Request) throws -> BulkJob
    where Request.Reply == BulkJob {
        try perform(request).get()
    }

    /// The jobs that were handed out, in order.
    var handedOut: [JobID] {
        actions.compactMap { if case .runJob(let job) = $0 { job.id } else { nil } }
    }

    var jobs: [BulkJob] {
        get throws {
            try perform(ListJobs()).get()
        }
    }
}

@Suite("Bulk jobs of a directory")
struct DirectoryJobTests {
    @Test("are handed out one at a time, the oldest first, once they are durable")
    func oneAtATime() throws {
        let harness = try DirectoryHarness()
        var ids: [JobID] = []
        for _ in 0..<3 {
            ids.append(try harness.create().id)
            harness.pass(milliseconds: 1)
        }
        #expect(harness.handedOut == [ids[0]])
        #expect(try harness.jobs.map(\.id) == ids.reversed(), "newest first")
        _ = try harness.job(ReportJob(ids[0], JobReport(status: .running, done: 5, permille: 10)))
        #expect(harness.handedOut == [ids[0]])
        _ = try harness.job(ReportJob(ids[0], JobReport(status: .completed, permille: 1_000)))
        #expect(harness.handedOut == [ids[0], ids[1]])
        let late = try harness.job(ReportJob(ids[0], JobReport(status: .running)))
        #expect(late.report.status == .completed, "what ended stays ended")
        for (count, kept) in [(500, 500), (501, 500)] {
            let text = String(repeating: "x", count: count)
            let report = JobReport(status: .running, failure: text)
            #expect(try harness.job(ReportJob(ids[1], report)).report.failure.count == kept)
        }
        let failed = JobReport(status: .failed, failure: String(repeating: "x", count: 900))
        #expect(try harness.job(ReportJob(ids[1], failed)).report.failure.count == 500)
        #expect(harness.handedOut == ids)
    }

    @Test("that the store refused leave no trace and are not handed out")
    func refused() throws {
        let harness = try DirectoryHarness()
        harness.storage.refuseChanges = .full
        let request = JobRequest(
            kind: .exportRegistrations,
            output: "file:///",
            input: nil,
            rule: "full"
        )
        #expect(try harness.refusal(CreateJob(request)) == .storeFull)
        #expect(harness.handedOut.isEmpty)
        #expect(try harness.jobs.isEmpty)
        harness.storage.refuseChanges = nil
        let job = try harness.create()
        #expect(harness.handedOut == [job.id])
        harness.storage.refuseChanges = .full
        let end = JobReport(status: .completed)
        #expect(try harness.refusal(ReportJob(job.id, end)) == .storeFull)
        #expect(try harness.job(GetJob(job.id)).report.status == .started)
    }

    @Test("are bounded: those that are open, and those that are remembered")
    func bounded() throws {
        var limits = CoreLimits()
        limits.jobs.jobsOpenMax = 2
        limits.jobs.jobsKeptMax = 3
        let harness = try DirectoryHarness(limits: limits)
        let first = try harness.create()
        harness.pass(milliseconds: 1)
        _ = try harness.create()
        let request = first.request
        let refusal = try harness.refusal(CreateJob(request))
        #expect(refusal == .tooMany(what: "jobs that are not finished", limit: 2))
        for _ in 0..<4 {
            let running = try #require(harness.handedOut.last)
            _ = try harness.job(ReportJob(running, JobReport(status: .completed)))
            harness.pass(milliseconds: 1)
            _ = try harness.create()
        }
        #expect(try harness.jobs.count == 3)
        #expect(harness.storage.jobs.count == 3)
        #expect(try harness.refusal(GetJob(first.id)) == .jobNotFound)
    }

    @Test("that were cut off begin again when they export, and have failed when they import")
    func cutOff() throws {
        let harness = try DirectoryHarness()
        let importing = try harness.create(.importCreate)
        harness.pass(milliseconds: 1)
        let exporting = try harness.create()
        _ = try harness.job(ReportJob(importing.id, JobReport(status: .running, done: 7)))
        harness.storage.jobs[exporting.id] = nil
        var other = harness
        for status in [JobStatus.started, .running] {
            other = try other.reopened()
            other.storage.refuseChanges = status == .started ? .full : nil
            other.tick()
        }
        let failed = try other.job(GetJob(importing.id))
        #expect(failed.report.status == .failed)
        #expect(failed.report.failure.contains("7 lines"), "\(failed.report.failure)")
        #expect(other.storage.jobs[importing.id]?.report.status == .failed)
        #expect(other.handedOut.isEmpty)
        let export = try other.create()
        _ = try other.job(ReportJob(export.id, JobReport(status: .running, permille: 400)))
        let again = try other.reopened()
        again.tick()
        #expect(again.handedOut == [export.id])
        #expect(try again.job(GetJob(export.id)).report == JobReport(status: .started))
    }

    @Test("have ids that sort the newest first and can be read back")
    func ids() throws {
        let harness = try DirectoryHarness()
        let job = try harness.create()
        #expect(job.id.text.utf8.count == 55)
        #expect(job.id.text.hasPrefix("251"), "\(job.id.text)")
        #expect(JobID(text: job.id.text) == job.id)
        for text in ["", "x", job.id.text + "0", job.id.text.uppercased() + "g", "é"] {
            #expect(JobID(text: text) == nil)
        }
        #expect(try JobCodec.decode(JobCodec.encode(job).span) == job)
    }

    @Test("of damaged bytes are refused and never trap")
    func damaged() throws {
        let bytes = JobCodec.encode(try DirectoryHarness().create(.importUpdate))
        for count in 0..<bytes.count {
            #expect(throws: RecordProblem.self) {
                try JobCodec.decode(Array(bytes.prefix(count)).span)
            }
        }
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 0xFF
            _ = try? JobCodec.decode(changed.span)
        }
    }
}

@Suite("Places of bulk jobs")
struct JobPlaceTests {
    private static func places() throws -> JobPlaces {
        try JobPlaces(allowing: ["https://Files.example.net/a", "http://10.0.0.1:8080"])
    }

    @Test(
        "are names below the hub's folder, or addresses at or below allowed ones",
        arguments: [
            ("file:///in.txt", "in.txt"), ("file://localhost/a/b%20c.txt", "a/b c.txt"),
            ("FILE:///a/", "a"),
            ("https://files.example.net:443/a/x?sig=%2F..", "https://files.example.net/a/x"),
            ("https://FILES.example.net/a", "https://files.example.net/a"),
            ("http://10.0.0.1:8080", "http://10.0.0.1:8080/"),
            ("http://10.0.0.1:8080/any/thing", "http://10.0.0.1:8080/any/thing"),
        ]
    )
    func allowed(_ text: String, _ expected: String) throws {
        switch try Self.places().place(text, field: "F", isFile: false) {
        case .folder(let names): #expect(names.joined(separator: "/") == expected)
        case .web(let address): #expect(address.shown == expected)
        }
    }

    @Test(
        "are refused when they could mean another place",
        arguments: [
            "", "in.txt", "/in.txt", "file:/in.txt", "file://host/in.txt", "file:///../x",
            "file:///a/%2E%2e/x", "file:///a//b", "file:///.hidden", "file:///a%2fb",
            "file:///a%5Cb", "file:///a\\b", "file:///a%00", "file:///x?y", "file:///x#y",
            "file:///%FF", "file:///%4", "file:///a%252e", "https://files.example.net/ab",
            "https://files.example.net/", "https://files.example.net:8443/a/x",
            "http://files.example.net/a/x", "https://files.example.net/a/../b",
            "https://files.example.net/a/%2e%2e/b", "https://files.example.net/a/..%2Fb",
            "https://u@files.example.net/a/x", "https://files.example.net@evil/a/x",
            "https://evil/?https://files.example.net/a", "https:///a/x", "http://10.0.0.1/any",
            "gopher://10.0.0.1:8080/", "https://files.example.net/a/ü",
            "https://files.example.net/a/..;/b", "https://files.example.net/a/..;x=1/b",
            "https://files.example.net/a/x%3b", "file:///a;b",
        ]
    )
    func refused(_ text: String) throws {
        #expect(throws: Refusal.self) {
            _ = try Self.places().place(text, field: "F", isFile: false)
        }
    }

    @Test("have at most so many bytes, and an input names a file")
    func bounds() throws {
        let places = try Self.places()
        let path = "http://10.0.0.1:8080/" + String(repeating: "x", count: 2_048)
        let fits = String(path.prefix(JobPlaces.bytesMax))
        #expect(throws: Never.self) { try places.place(fits, field: "F", isFile: true) }
        let over = String(path.prefix(JobPlaces.bytesMax + 1))
        #expect(throws: Refusal.self) { try places.place(over, field: "F", isFile: true) }
        let deep = "http://10.0.0.1:8080" + String(repeating: "/x", count: JobPlaces.segmentsMax)
        #expect(throws: Never.self) { try places.place(deep, field: "F", isFile: true) }
        #expect(throws: Refusal.self) { try places.place(deep + "/x", field: "F", isFile: true) }
        #expect(throws: Refusal.self) { try places.place("file:///", field: "F", isFile: true) }
        #expect(throws: Never.self) { try places.place("file:///", field: "F", isFile: false) }
        for bad in ["https://a/?x", "file:///x", "a"] {
            #expect(throws: Refusal.self) { try JobPlaces(allowing: [bad]) }
        }
    }
}
