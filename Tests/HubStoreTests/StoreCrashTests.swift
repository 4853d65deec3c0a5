import Dispatch
import Foundation
import HubModel
import HubStore
import HubTestSupport
import HubVocabulary
import Testing

@Suite("A store whose process is killed")
struct StoreCrashTests {
    @Test("keeps everything it had promised, and no half commits", arguments: [3, 20])
    func killed(groups: Int) async throws {
        let fixture = StoreFixture()
        try FileManager.default.createDirectory(
            atPath: fixture.folder,
            withIntermediateDirectories: true
        )
        let path = fixture.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, groups] in
            try StoreCrashTests.workUntilKilled(path, groups)
        }
        let promised = try String(contentsOfFile: fixture.path + ".promised", encoding: .utf8)
            .split(separator: "\n").compactMap { UInt64($0) }
        let store = try fixture.reopen()
        let head = store.bounds.head
        #expect(promised.count >= groups)
        #expect(head >= (promised.last ?? 0))
        #expect(head % 5 == 0, "half a commit: \(head)")
        let read = try store.reader.records(after: 0, through: .max, limit: .max, bytesMax: .max)
        #expect(read.map(\.sequence) == Array(1...head))
        #expect(
            read.map(NotificationCodec.encode)
                == Sample.records(1...head).map(NotificationCodec.encode)
        )
        var numbers: [UInt32] = []
        try store.forEachRegistration { numbers.append($0.number.raw) }
        // The changes of a group are durable before its records are begun.
        #expect(numbers.count >= Int(head / 5))
        #expect(numbers == Array(1...UInt32(numbers.count)))
    }

    /// Commits until another thread ends the process, wherever the commit then is.
    private static func workUntilKilled(_ path: String, _ groups: Int) throws {
        let store = try SQLiteStore(folder: path, epochSeed: 7)
        try Data().write(to: URL(fileURLWithPath: path + ".promised"))
        let promises = try #require(FileHandle(forWritingAtPath: path + ".promised"))
        let areDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            try? areDone.waitInTime("so many commits")
            kill(getpid(), SIGKILL)
        }
        for group in UInt64(0)..<10_000 {
            let result = store.commit(
                changes: [.put(Sample.registration(UInt32(group) + 1))],
                records: Sample.records(group * 5 + 1...group * 5 + 5)
            )
            guard result.changes == nil, result.records == nil else { return }
            promises.write(Data("\(group * 5 + 5)\n".utf8))
            if group + 1 == groups { areDone.signal() }
        }
    }
}
