import Foundation
import HubModel
@testable import HubData
import HubStore
import HubTags
import HubTestSupport
import HubVocabulary
import Testing

@Suite("Backups of a data folder")
struct DataBackupTests {
    /// A data folder with a hub that has a registered device and two schedules.
    private struct Bench {
        let place = TemporaryFolder()
        let name: HubName
        var data: String { place.file("data") }
        var backup: String { place.file("backup") }
        var target: String { place.file("target") }

        init() throws {
            name = try #require(HubName("news"))
            let folder = try DataFolder(path: place.file("data"))
            let keys = try HubKeys(folder: folder, hubs: ["news"])
            let secret = try #require(keys.hubs.first).secret
            let store = try SQLiteStore(folder: folder.file("hubs/news"), epochSeed: 7)
            let result = store.commit(
                changes: [
                    .put(Self.registration(name, secret)), .putSchedule(Self.schedule(1, due: 5)),
                    .putSchedule(Self.schedule(2, due: 9_000_000_000_000)),
                ],
                records: []
            )
            try #require(result.changes == nil)
            store.close()
            folder.release()
        }

        private static func registration(_ hub: HubName, _ secret: HubSecret) -> Registration {
            let device = DeviceID(high: 3, low: 4)
            let handle = PushHandle(device: device, hub: hub, secret: secret, generation: 0)
            return Registration(
                number: RegistrationNumber(1),
                id: Array("1-1-1".utf8),
                version: 1,
                content: RegistrationContent(
                    platform: .apple,
                    handle: handle.text,
                    tags: TagSet([Array("World".utf8)]),
                    template: nil
                ),
                granted: TagSet([]),
                target: RegistrationTarget(device: device, slot: 0),
                template: nil,
                since: LogPlace(epoch: 7, sequence: 1),
                tagsSince: LogPlace(epoch: 7, sequence: 1),
                formerTags: [],
                historyCut: nil,
                expires: nil
            )
        }

        private static func schedule(_ number: UInt64, due: UInt64) -> ScheduledNotification {
            ScheduledNotification(
                id: ScheduleID(high: number << 16 | 0x7000, low: number),
                due: Timestamp(milliseconds: due),
                notAfter: Timestamp(milliseconds: due + 5),
                draft: NotificationDraft(
                    format: .native(.apple),
                    target: .broadcast,
                    body: Array("{}".utf8),
                    headers: [],
                    timeToLive: .seconds(60),
                    collapseKey: []
                )
            )
        }

        @discardableResult
        func make() throws -> DataBackup {
            try DataBackup.make(of: data, to: backup) { _ in }
        }

        func restore(skipsOverdue: Bool = false) throws -> DataBackup {
            try DataBackup.restore(
                backup,
                to: target,
                skipsOverdue: skipsOverdue,
                progress: { _ in },
                requiring: { _ in }
            )
        }

        /// Times of the schedules that a restored hub has.
        func restoredDues() throws -> [UInt64] {
            let store = try SQLiteStore(folder: target + "/hubs/news", epochSeed: 9)
            defer { store.close() }
            var dues: [UInt64] = []
            try store.forEachSchedule { schedule, _ in dues.append(schedule.due.milliseconds) }
            return dues
        }

        /// Changes `backup.json`.
        func describe(_ change: (inout DataBackup) -> Void) throws {
            let file = URL(fileURLWithPath: backup + "/" + DataBackup.name)
            var described = try JSONDecoder().decode(
                DataBackup.self,
                from: try Data(contentsOf: file)
            )
            change(&described)
            try JSONEncoder().encode(described).write(to: file)
        }
    }

    private func expectRefusal(_ text: String, _ body: () throws -> Void) {
        do {
            try body()
            Issue.record("not refused: \(text)")
        } catch {
            #expect("\(error)".contains(text), "\(error)")
        }
    }

    @Test("without a hub's keys are not made, and show when they are verified")
    func keysMissing() throws {
        let bench = try Bench()
        #expect(try DataBackup.verify(bench.data) { _ in }.faultCount == 0)
        try FileManager.default.removeItem(atPath: bench.data + "/hubs/news/keys.json")
        expectRefusal("hubs/news/keys.json") { try bench.make() }
        let found = try DataBackup.verify(bench.data) { _ in }
        #expect(found.faults.map { $0.hasSuffix("keys.json is missing") } == [true])
    }

    @Test("with the keys of another hub are not restored")
    func foreignKeys() throws {
        let (bench, other) = (try Bench(), try Bench())
        let keys = "/hubs/news/keys.json"
        try FileManager.default.removeItem(atPath: bench.data + keys)
        try FileManager.default.copyItem(atPath: other.data + keys, toPath: bench.data + keys)
        try bench.make()
        expectRefusal("registered") { _ = try bench.restore() }
        #expect(!FileManager.default.fileExists(atPath: bench.target))
    }

    @Test("do not go where a file is")
    func destinationIsFile() throws {
        let bench = try Bench()
        try Data("mine".utf8).write(to: URL(fileURLWithPath: bench.backup))
        expectRefusal(bench.backup) { try bench.make() }
        #expect(try String(contentsOfFile: bench.backup, encoding: .utf8) == "mine")
    }

    @Test("do not go into what they copy, on whatever way it is named")
    func within() throws {
        let bench = try Bench()
        let link = bench.place.file("link")
        try FileManager.default.createSymbolicLink(
            atPath: link,
            withDestinationPath: bench.data
        )
        for target in [bench.data + "/b", bench.data, bench.data + "/../data/b/c", link + "/b"] {
            expectRefusal("lies within") {
                _ = try DataBackup.make(of: bench.data, to: target) { _ in }
            }
        }
        try bench.make()
        expectRefusal("lies within") {
            _ = try DataBackup.restore(
                bench.backup,
                to: bench.backup + "/x",
                progress: { _ in },
                requiring: { _ in }
            )
        }
    }

    @Test("say what to do with what a restore left that was cut short")
    func leftovers() throws {
        let bench = try Bench()
        try bench.make()
        try DataFolder.makeFolder(bench.target + ".restoring")
        expectRefusal("cut short; remove it") { _ = try bench.restore() }
        try FileManager.default.removeItem(atPath: bench.target + ".restoring")
        #expect(try bench.restore().hubs.map(\.name) == ["news"])
        #expect(!FileManager.default.fileExists(atPath: bench.target + ".restoring"))
    }

    @Test(
        "whose description names other hubs, or files elsewhere, are refused",
        arguments: ["other", "../news", "", "NEWS"]
    )
    func foreignNames(_ name: String) throws {
        let bench = try Bench()
        try bench.make()
        try bench.describe { $0.hubs[0].name = name }
        expectRefusal("names other hubs") { _ = try bench.restore() }
        try bench.describe { backup in
            backup.hubs[0].name = "news"
            backup.files.removeAll { $0.path.hasSuffix("keys.json") }
        }
        expectRefusal("names no keys.json of hub 'news'") { _ = try bench.restore() }
        try bench.describe { $0.files[0].path = "../../etc/passwd" }
        expectRefusal("names") { _ = try bench.restore() }
    }

    @Test("say how many scheduled notifications are overdue, and forget them when asked to")
    func overdue() throws {
        let bench = try Bench()
        try bench.make()
        #expect(try bench.restore().hubs.map(\.overdue) == [1])
        #expect(try bench.restoredDues() == [5, 9_000_000_000_000])
        try FileManager.default.removeItem(atPath: bench.target)
        #expect(try bench.restore(skipsOverdue: true).hubs.map(\.overdue) == [1])
        #expect(try bench.restoredDues() == [9_000_000_000_000])
    }
}
