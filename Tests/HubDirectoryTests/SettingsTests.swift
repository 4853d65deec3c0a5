import HubDirectory
@testable import HubHarness
import HubModel
import HubQuestions
import HubTags
import HubTestSupport
import HubVocabulary
import Testing

@Suite("What operators decide for a hub")
struct SettingsTests {
    private func change(_ body: (inout HubSettingsChange) -> Void) -> ChangeSettings {
        var change = HubSettingsChange()
        body(&change)
        return ChangeSettings(change)
    }

    private func settings(_ result: Result<HubSettings, Refusal>) throws -> HubSettings {
        try result.get()
    }

    private func draft(_ timeToLive: TimeToLive, isDefault: Bool = false) -> NotificationDraft {
        var draft = NotificationDraft(
            format: .native(.apple),
            target: .broadcast,
            body: Array("{}".utf8),
            timeToLive: timeToLive
        )
        draft.hasDefaultLifetime = isDefault
        return draft
    }

    @Test("holds at once and after opening again, and what is not named stays")
    func changes() throws {
        let hub = try DirectoryHarness()
        let before = try settings(hub.perform(GetSettings()))
        #expect(before == HubSettings(.standard))
        #expect(before.deviceCap == 10_000 && before.timeToLiveDefaultSeconds == 604_800)
        let after = try settings(hub.perform(change { $0.deviceCap = 5 }))
        #expect(after.deviceCap == 5 && after.retentionSeconds == before.retentionSeconds)
        #expect(try settings(hub.reopened().perform(GetSettings())) == after)
    }

    @Test("is within its limits, each named where it is not")
    func limits() throws {
        let hub = try DirectoryHarness()
        let most = UInt64(CoreLimits.standard.sends.timeToLiveMaxSeconds)
        for (command, field) in [
            (change { $0.deviceCap = 0 }, "deviceCap"),
            (change { $0.deviceCap = 100_001 }, "deviceCap"),
            (change { $0.retentionSeconds = 59 }, "retentionSeconds"),
            (change { $0.retentionSeconds = most + 1 }, "retentionSeconds"),
            (change { $0.logBytesWarned = 1_048_575 }, "logBytesWarned"),
            (change { $0.logBytesWarned = (1 << 50) + 1 }, "logBytesWarned"),
            (change { $0.timeToLiveSeconds = 0 }, "timeToLiveSeconds"),
            (change { $0.timeToLiveSeconds = .max }, "timeToLiveSeconds"),
            (change { $0.retentionSeconds = 3_600 }, "timeToLiveSeconds"),
        ] {
            guard case .failure(.invalid(field, _)) = try hub.perform(command) else {
                Issue.record("\(field) is taken")
                continue
            }
        }
        #expect(try settings(hub.perform(GetSettings())) == HubSettings(.standard))
        for command in [
            change { $0.deviceCap = 1 }, change { $0.deviceCap = 100_000 },
            change { $0.logBytesWarned = 1_048_576 }, change { $0.logBytesWarned = 1 << 50 },
            change { $0.retentionSeconds = most }, change { $0.timeToLiveSeconds = most },
            change {
                $0.timeToLiveSeconds = 1
                $0.retentionSeconds = 60
            },
        ] { _ = try settings(hub.perform(command)) }
    }

    @Test("say from which size of the log on an operator is told, once each time it is reached")
    func logSize() throws {
        let hub = try DirectoryHarness()
        _ = try settings(hub.perform(change { $0.logBytesWarned = 2_000_000 }))
        var warnings: [Int] = []
        for bytes in [2_000_000, 2_000_001, 2_500_000, 1_999_999, 3_000_000] {
            var result = TidyResult()
            result.logBytes = bytes
            hub.directory.tidied(result, bounds: hub.directory.bounds)
            #expect(hub.directory.gauges.logBytes == bytes)
            for case .event(.logTooLarge(let bytes)) in hub.directory.takeActions() {
                warnings.append(bytes)
            }
        }
        #expect(warnings == [2_000_001, 3_000_000])
    }

    @Test("damaged lists that housekeeping finds are told one by one")
    func damagedLists() throws {
        let hub = try DirectoryHarness()
        var result = TidyResult()
        result.damagedLists = [3, 7]
        hub.directory.tidied(result, bounds: hub.directory.bounds)
        let told = hub.directory.takeActions().compactMap { action -> Int? in
            guard case .event(.listsDamaged(let part)) = action else { return nil }
            return part
        }
        #expect(told == [3, 7])
    }

    @Test("that the store refuses is taken back, and shards hear nothing of it")
    func refused() throws {
        let hub = try DirectoryHarness()
        hub.storage.refuseChanges = .full
        #expect(throws: Refusal.storeFull) {
            try hub.perform(change { $0.deviceCap = 5 }).get()
        }
        #expect(try settings(hub.perform(GetSettings())) == HubSettings(.standard))
        hub.storage.refuseChanges = nil
        #expect(try settings(hub.perform(change { $0.deviceCap = 6 })).deviceCap == 6)
        let told = hub.actions.compactMap { action -> UInt32? in
            guard case .broadcast(.settings(let settings)) = action else { return nil }
            return settings.deviceCap
        }
        #expect(told == [6])
    }

    @Test("decides how long a notification lives that says nothing, and that none lives longer")
    func lifetimes() throws {
        let hub = try DirectoryHarness()
        _ = try hub.perform(
            change {
                $0.timeToLiveSeconds = 100
                $0.retentionSeconds = 1_000
            }
        )
        for draft in [
            draft(.seconds(604_800), isDefault: true), draft(.seconds(604_800)),
            draft(.seconds(7)), draft(.transient),
        ] { _ = try hub.perform(Send(draft)) }
        let stored = hub.feed.flatMap(\.records).map(\.draft.timeToLive)
        #expect(stored == [.seconds(100), .seconds(1_000), .seconds(7), .transient])
    }

    @Test("a purge goes as far as the log does, by place or by time, and never back")
    func purge() throws {
        let hub = try DirectoryHarness()
        for _ in 0..<3 {
            _ = try hub.perform(Send(draft(.seconds(60))))
            hub.pass(milliseconds: 1_000)
        }
        let second = Timestamp(milliseconds: hub.now.time.milliseconds - 2_000)
        #expect(try settings(hub.perform(Purge(.before(second)))).purgedThrough == 1)
        #expect(try settings(hub.perform(Purge(.through(2)))).purgedThrough == 2)
        #expect(try settings(hub.perform(Purge(.through(1)))).purgedThrough == 2)
        #expect(try settings(hub.perform(Purge(.before(second)))).purgedThrough == 2)
        #expect(try settings(hub.reopened().perform(GetSettings())).purgedThrough == 2)
        #expect(try settings(hub.perform(Purge(.through(.max)))).purgedThrough == 3)
        _ = try hub.perform(Send(draft(.seconds(60))))
        let later = Timestamp(milliseconds: hub.now.time.milliseconds + 1)
        #expect(try settings(hub.perform(Purge(.before(later)))).purgedThrough == 4)
    }

    @Test("is stored in bytes that are read as they were written, and nothing else is")
    func codec() throws {
        var random = SeededGenerator(seed: 1)
        let settings = HubSettings(
            timeToLiveDefaultSeconds: UInt32.random(in: 0 ... .max, using: &random),
            retentionSeconds: UInt32.random(in: 0 ... .max, using: &random),
            deviceCap: UInt32.random(in: 0 ... .max, using: &random),
            purgedThrough: random.next()
        )
        let bytes = HubSettingsCodec.encode(settings)
        #expect(try HubSettingsCodec.decode(bytes.span) == settings)
        for count in 0..<bytes.count {
            let cut = Array(bytes[..<count])
            #expect(throws: RecordProblem.self) { try HubSettingsCodec.decode(cut.span) }
        }
        let more = bytes + [0]
        #expect(throws: RecordProblem.trailingBytes(at: bytes.count)) {
            try HubSettingsCodec.decode(more.span)
        }
    }
}
