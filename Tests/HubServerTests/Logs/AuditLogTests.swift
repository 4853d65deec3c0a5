import Foundation
import HubModel
import HubREST
import HubTestSupport
import HubVocabulary
import Testing

@testable import HubServer

@Suite("The audit")
struct AuditLogTests {
    private func entry(_ number: UInt64) throws -> AuditEntry {
        let json =
            #"{"number":\#(number),"operation":"purge","rule":"r","subject":"/h","time":"t","#
            + #""tracking":"id"}"#
        return try JSONDecoder().decode(AuditEntry.self, from: Data(json.utf8))
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

    @Test("is read the newest first, over all its files and restarts")
    func pages() async throws {
        let place = TemporaryFolder()
        // Two entries fill a file.
        var audit = try AuditLog(data: place.path, fileBytesMax: 100)
        #expect(try await numbers(audit, limit: 3) == [[]])
        for expected in UInt64(1)...7 {
            if expected == 4 { audit = try AuditLog(data: place.path, fileBytesMax: 100) }
            try await audit.append { number in
                #expect(number == expected)
                return try? entry(number)
            }
        }
        #expect(try await numbers(audit, limit: 1).flatMap { $0 } == [7, 6, 5, 4, 3, 2, 1])
        #expect(try await numbers(audit, limit: 9).flatMap { $0 } == [7, 6, 5, 4, 3, 2, 1])
        let files = try FileManager.default.contentsOfDirectory(atPath: place.path + "/audit")
        #expect(files.count > 1)
        for file in files {
            let path = "\(place.path)/audit/\(file)"
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            #expect((mode as? NSNumber)?.intValue == 0o600)
        }
    }

    @Test("goes on behind a line that a power cut has torn")
    func torn() async throws {
        let place = TemporaryFolder()
        let path = place.path + "/audit/1.jsonl"
        try await AuditLog(data: place.path).append { try? entry($0) }
        let whole = try #require(FileManager.default.contents(atPath: path))
        try (whole + whole.prefix(30)).write(to: URL(fileURLWithPath: path))
        let audit = try AuditLog(data: place.path)
        try await audit.append { try? entry($0) }
        #expect(try await numbers(audit, limit: 9) == [[2, 1]])
    }
}
