import Foundation
import HubData
import HubModel
import HubREST
import HubTestSupport
import HubVocabulary
import Testing

@testable import HubServer

@Suite("The audit")
struct AuditLogTests {
    /// Two entries fill a file.
    private static let small: AuditLimits = {
        var limits = AuditLimits()
        limits.namespace.fileBytes = 100
        limits.hub.fileBytes = 100
        return limits
    }()

    private let place = TemporaryFolder()

    private func audit(_ limits: AuditLimits = small) throws -> AuditLog {
        try AuditLog(data: place.path, limits: limits)
    }

    private func entry(
        _ number: UInt64,
        of hub: String? = nil,
        at time: String = "t"
    ) throws -> AuditEntry {
        let part = hub.map { #""hub":"\#($0)","# } ?? ""
        let json =
            #"{\#(part)"number":\#(number),"operation":"purge","rule":"r","subject":"/h","#
            + #""time":"\#(time)","tracking":"id"}"#
        return try JSONDecoder().decode(AuditEntry.self, from: Data(json.utf8))
    }

    private func append(
        to audit: AuditLog,
        of hub: String? = nil,
        at time: String = "t"
    ) async throws {
        try await audit.append { try? entry($0, of: hub, at: time) }
    }

    private func numbers(_ audit: AuditLog, limit: Int) async throws -> [[UInt64]] {
        var pages: [[UInt64]] = []
        var before: UInt64?
        repeat {
            let page = try await audit.page(before: before, limit: limit)
            pages.append(page.entries.map(\.number))
            before = page.next
        } while before != nil
        return pages
    }

    @Test("is read the newest first, over all hubs, files and restarts")
    func pages() async throws {
        var log = try audit()
        #expect(try await numbers(log, limit: 3) == [[]])
        for (place, hub) in [nil, "a", "b", "A", nil, "b", "a", "a", nil].enumerated() {
            if place == 4 { log = try audit() }
            try await append(to: log, of: hub)
        }
        let all: [UInt64] = [9, 8, 7, 6, 5, 4, 3, 2, 1]
        #expect(try await numbers(log, limit: 1) == all.map { [$0] })
        #expect(try await numbers(log, limit: 4) == [[9, 8, 7, 6], [5, 4, 3, 2], [1]])
        #expect(try await numbers(log, limit: 9) == [all])
        #expect(try await numbers(try audit(), limit: 99) == [all])
        let files = place.everything.filter { $0.hasSuffix(".jsonl") }
        #expect(files.contains("audit/hubs/a/7.jsonl") && !files.contains { $0.contains("A") })
        for file in files { #expect(try place.mode(file) == 0o600) }
    }

    /// Pages of a time, each with the number below which the next one begins; 0 for none.
    private func chosen(
        _ audit: AuditLog,
        since: String = "",
        until: String = "",
        limit: Int = 9
    ) async throws -> [[UInt64]] {
        let span = try TimeSpan { Array(($0 == "since" ? since : until).utf8) }
        var pages: [[UInt64]] = []
        var before: UInt64?
        repeat {
            let page = try await audit.page(before: before, limit: limit, within: span)
            pages.append(page.entries.map(\.number) + [page.next ?? 0])
            before = page.next
        } while before != nil
        return pages
    }

    @Test("is chosen by time, over hubs and files")
    func times() async throws {
        var limits = Self.small
        limits.filesOfPage = 99
        let log = try audit(limits)
        let times = (0...9).map { "2026-05-04T09:0\($0):00.000Z" }
        for minute in 1...9 {
            try await append(to: log, of: [nil, "a", "b"][minute % 3], at: times[minute])
        }
        #expect(try await chosen(log, since: times[8]) == [[9, 8, 0]])
        #expect(try await chosen(log, since: times[4], until: times[6]) == [[5, 4, 0]])
        let two = try await chosen(log, since: times[4], until: times[8], limit: 2)
        #expect(two == [[7, 6, 6], [5, 4, 4], [0]])
        #expect(try await chosen(log, since: "2027-01-01T00:00:00Z") == [[0]])
        #expect(try await chosen(log, until: times[1]) == [[0]])
        // An entry whose time cannot be read is in no time, and hides no other.
        try await append(to: log)
        #expect(try await chosen(log, since: times[9]) == [[9, 0]])
        #expect(try await chosen(try audit(limits), since: times[9]) == [[9, 0]])
    }

    @Test("reads some files for a page of a time, and says where the next page begins")
    func filesOfPage() async throws {
        var limits = AuditLimits()
        // Two entries fill a file.
        limits.namespace.fileBytes = 200
        limits.filesOfPage = 2
        let log = try audit(limits)
        for minute in 1...8 { try await append(to: log, at: "2026-05-04T09:0\(minute):00Z") }
        let files = place.everything.filter { $0.hasSuffix(".jsonl") }
        #expect(files == [1, 3, 5, 7].map { "audit/\($0).jsonl" })
        let oldest = try await chosen(log, until: "2026-05-04T09:03:00Z")
        #expect(oldest == [[5], [2, 1, 0]])
        let older = try await chosen(log, until: "2026-05-04T09:06:00Z")
        #expect(older == [[5, 5], [4, 3, 2, 1, 0]])
        // A file of older entries alone is the last one.
        #expect(try await chosen(log, since: "2026-05-04T09:07:00Z") == [[8, 7, 0]])
        #expect(try await chosen(log, since: "2026-05-04T09:05:00Z") == [[8, 7, 6, 5, 5], [0]])
    }

    @Test("of a noisy hub pushes out that hub's own lines alone")
    func noisyHub() async throws {
        var limits = Self.small
        limits.hub.files = 3
        let log = try audit(limits)
        try await append(to: log)
        try await append(to: log, of: "quiet")
        for _ in 0..<100 { try await append(to: log, of: "noisy") }
        let left = try await numbers(log, limit: 200)[0]
        #expect(left.suffix(2) == [2, 1])
        #expect((3...8).contains(left.count), "\(left)")
        #expect(left.first == 102)
    }

    @Test("keeps the lines of a hub, however many hubs are made behind it", arguments: 2...4)
    func manyHubs(hubs: Int) async throws {
        var limits = Self.small
        limits.hubs = 3
        limits.others = AuditLimits.Ring(fileBytes: 100, files: 2)
        let log = try audit(limits)
        let names = (1...hubs).map { "hub\($0)" }
        for hub in names + names.reversed() { try await append(to: log, of: hub) }
        let own = place.everything.filter { $0.hasPrefix("audit/hubs/hub") && !$0.contains("json") }
        #expect(own.sorted() == names.prefix(3).map { "audit/hubs/\($0)" })
        #expect(place.everything.contains { $0.hasPrefix("audit/others/") } == (hubs == 4))
        let all = (1...UInt64(hubs * 2)).reversed()
        #expect(try await numbers(log, limit: 9) == [Array(all)])
        #expect(try await numbers(try audit(limits), limit: 9) == [Array(all)])
        // The shared files push out their own lines alone.
        for _ in 0..<4 { try await append(to: try audit(limits), of: "hub4") }
        let left = try await numbers(try audit(limits), limit: 99)[0]
        #expect(left.filter { $0 <= hubs * 2 }.count >= (hubs == 4 ? 6 : hubs * 2), "\(left)")
        let data = place.path
        #expect(try AuditLog.firstBroken(data: data) == nil)
    }

    @Test(
        "gives the files of a hub to another one after 400 days without a change",
        arguments: [("2027-02-05T00:00:00.000Z", false), ("2027-02-05T00:00:00.001Z", true)]
    )
    func oldHub(time: String, givesWay: Bool) async throws {
        var limits = Self.small
        limits.hubs = 2
        for hub in ["old", "new", "new"] {
            try await append(to: try audit(limits), of: hub, at: "2026-01-01T00:00:00.000Z")
        }
        try await append(to: try audit(limits), of: "third", at: time)
        #expect(place.everything.contains("audit/hubs/old") != givesWay)
        #expect(place.everything.contains("audit/hubs/third") == givesWay)
        let log = try audit(limits)
        #expect(try await numbers(log, limit: 9) == [givesWay ? [4, 3, 2] : [4, 3, 2, 1]])
    }

    @Test("goes on behind a line that a power cut has torn")
    func torn() async throws {
        try await append(to: try audit())
        let whole = try place.text("audit/1.jsonl")
        try place.write(whole + whole.prefix(30), to: "audit/1.jsonl")
        let log = try audit()
        try await append(to: log)
        #expect(try await numbers(log, limit: 9) == [[2, 1]])
    }

    @Test("begins a file anew that an operator has removed, and never gives a number twice")
    func removed() async throws {
        let log = try audit()
        for _ in 0..<4 { try await append(to: log) }
        let files = place.everything.filter { $0.hasSuffix(".jsonl") }
        #expect(files == ["audit/1.jsonl", "audit/3.jsonl", "audit/4.jsonl"])
        try FileManager.default.removeItem(atPath: place.file("audit/1.jsonl"))
        #expect(try await numbers(log, limit: 1) == [[4], [3], []])
        for file in files.dropFirst() {
            try FileManager.default.removeItem(atPath: place.file(file))
        }
        #expect(try await numbers(log, limit: 9) == [[]])
        try await append(to: log)
        #expect(try await numbers(log, limit: 9) == [[5]])
        #expect(try place.mode("audit/5.jsonl") == 0o600)
    }

    @Test("shows where a line was changed or taken out, over files and restarts")
    func chain() async throws {
        for place in 0..<6 {
            try await append(to: try audit(), of: place == 2 ? "quiet" : "noisy")
        }
        let data = place.path
        #expect(try AuditLog.firstBroken(data: data) == nil)
        let file = "audit/hubs/noisy/2.jsonl"
        let text = try place.text(file)
        try place.write(text.replacing("purge", with: "hurry"), to: file)
        #expect(try AuditLog.firstBroken(data: data) == 4)
        try FileManager.default.removeItem(atPath: place.file(file))
        #expect(try AuditLog.firstBroken(data: data) == 4)
        try place.write(text, to: file)
        #expect(try AuditLog.firstBroken(data: data) == nil)
        #expect(try AuditLog.firstBroken(data: place.file("elsewhere")) == nil)
        #expect(!place.everything.contains("elsewhere"))
    }

    @Test("refuses a line that it cannot write, and takes the next one under that number")
    func failedOpen() async throws {
        let log = try audit()
        // What it would open is a link: another file must not get its lines.
        try place.write("", to: "elsewhere")
        try FileManager.default.createSymbolicLink(
            atPath: place.file("audit/1.jsonl"),
            withDestinationPath: place.file("elsewhere")
        )
        await #expect(throws: (any Error).self) { try await append(to: log) }
        #expect(try place.text("elsewhere") == "")
        try FileManager.default.removeItem(atPath: place.file("audit/1.jsonl"))
        try await append(to: log)
        #expect(try await numbers(log, limit: 9) == [[1]])
    }

    @Test("says which folder cannot be used")
    func failedStart() throws {
        try DataFolder.makeFolder(place.path)
        try place.write("a file", to: "audit")
        let error = try #require(throws: ServerError.self) { _ = try audit() }
        guard case .folder(let path, _) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(path == place.file("audit"))
    }
}
