import HubModel
import HubStore
import HubVocabulary
import Testing

extension Sample {
    /// A bulk job whose id is of a moment.
    static func job(
        _ moment: UInt64,
        status: JobStatus = .started,
        properties: [(key: String, value: String)] = []
    ) throws -> BulkJob {
        // Ids count down as time goes.
        let digits = String(2_516_000_000_000_000_000 - moment)
        let uuid = "01234567-89ab-4def-8123-456789abcdef"
        var bytes: [UInt8] = [JobCodec.format]
        func medium(_ text: String) {
            bytes += [UInt8(text.utf8.count >> 8), UInt8(text.utf8.count & 0xFF)] + text.utf8
        }
        func integer(_ value: UInt64, _ size: Int) {
            for place in (0..<size).reversed() {
                bytes.append(UInt8(truncatingIfNeeded: value >> (8 * place)))
            }
        }
        medium(digits + uuid)
        bytes.append(JobKind.importUpsert.rawValue)
        medium("file:///out")
        medium("https://files.example.net/in.txt?sig=x")
        medium("full")
        integer(moment, 8)
        integer(moment + 1, 8)
        bytes.append(status.rawValue)
        integer(3, 8)
        integer(4, 8)
        integer(500, 2)
        medium("why")
        bytes.append(UInt8(properties.count))
        for property in properties {
            medium(property.key)
            medium(property.value)
        }
        return try JobCodec.decode(bytes.span)
    }
}

@Suite("Every store keeps bulk jobs")
struct JobContractTests {
    private static func jobs(_ store: any HubStorage) throws -> [BulkJob] {
        var found: [BulkJob] = []
        try store.forEachJob { found.append($0) }
        return found
    }

    @Test(
        "as they were last written, ascending by id, until they are removed",
        arguments: StoreKind.allCases
    )
    func kept(_ kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        var store = try fixture.reopen()
        let properties = [(key: "Source", value: "nightly"), (key: "Empty", value: "")]
        let first = try Sample.job(1, properties: properties)
        let second = try Sample.job(2)
        let later = try Sample.job(1, status: .completed)
        #expect(
            store.commit(changes: [.putJob(first), .putJob(second)], records: []).changes == nil
        )
        store = try fixture.reopen()
        #expect(try Self.jobs(store) == [second, first])
        #expect(
            store.commit(changes: [.putJob(later), .removeJob(second.id)], records: []).changes
                == nil
        )
        store = try fixture.reopen()
        #expect(try Self.jobs(store) == [later])
    }

    @Test("that were written before there were properties are read without any")
    func formerFormat() throws {
        let job = try Sample.job(1, properties: [("Source", "nightly")])
        var bytes = JobCodec.encode(job)
        #expect(job.request.properties.map(\.name) == [Array("Source".utf8)])
        // The count, the name and the value, each behind its length.
        bytes.removeLast(1 + 2 + 6 + 2 + 7)
        bytes[0] = 1
        let former = try JobCodec.decode(bytes.span)
        #expect(former.request.properties == [])
        #expect(former.id == job.id && former.report == job.report)
    }

    @Test("and its files can be verified")
    func verified() throws {
        let fixture = StoreFixture()
        let store = try fixture.reopen()
        #expect(store.commit(changes: [.putJob(try Sample.job(1))], records: []).changes == nil)
        fixture.close()
        let result = try StoreVerification.of(fixture.path) { _ in }
        #expect(result.faults.isEmpty, "\(result.faults)")
    }
}
