import HubCluster
import HubHarness
import HubModel
import HubTestSupport
import HubVocabulary
import Testing

@Suite("Items of a hub")
struct StoredItemTests {
    @Test("every kind reads back as it was written", arguments: 0..<40 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var kinds: Set<ItemKind> = []
        for value in try random.values() {
            let item = StoredItem(value)
            let stored = try StoredItem(
                stored: item.body,
                key: item.key,
                gone: item.gone,
                checksum: item.checksum
            )
            #expect(StoredItem(try stored.value()) == item, "seed \(seed), \(item.key.kind)")
            kinds.insert(item.key.kind)
        }
        #expect(kinds == Set(ItemKind.allCases))
    }

    @Test("damage and a wrong name are refused", arguments: 0..<10 as Range<UInt64>)
    func refused(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let values = try random.values()
        let others = try random.values()
        for (value, other) in zip(values, others) {
            let (item, stranger) = (StoredItem(value), StoredItem(other))
            var body = item.body
            body[random.below(body.count)] ^= 1 << UInt8(random.below(8))
            #expect(throws: RecordProblem.badField("checksum")) {
                try StoredItem(
                    stored: body,
                    key: item.key,
                    gone: item.gone,
                    checksum: item.checksum
                )
            }
            let renamed = ItemKey(item.key.kind, stranger.key.bytes + [0])
            #expect(throws: RecordProblem.self, "\(item.key.kind)") {
                try item.named(renamed).value()
            }
            guard item.gone != nil else { continue }
            #expect(throws: RecordProblem.badField("checksum"), "\(item.key.kind)") {
                try StoredItem(
                    stored: item.body,
                    key: item.key,
                    gone: nil,
                    checksum: item.checksum
                )
            }
        }
    }

    @Test("a group's effect is the last state of each item")
    func effect() throws {
        var random = SeededGenerator(seed: 3)
        var first = random.registration()
        first.number = RegistrationNumber(1)
        var changed = first
        changed.version += 1
        var second = random.registration()
        second.number = RegistrationNumber(9)
        var settings = HubSettings(.standard)
        settings.purgedThrough = 4
        let effect = GroupEffect(
            [
                .put(first), .put(second), .put(changed), .remove(second),
                .removeJob(.make(now: Timestamp(milliseconds: 1), random: &random)),
                .putSettings(settings),
            ],
            head: 6
        )
        #expect(
            effect.puts == [
                StoredItem(.registration(changed)), StoredItem(.tombstone(second, gone: 7)),
                StoredItem(.settings(settings)),
            ]
        )
        #expect(effect.removals.map(\.kind) == [.job])
        #expect(effect.numberMax == 9 && effect.purged == 4)
    }

    @Test("a cancelled notification leaves the scheduled ones and keeps its key")
    func cancelled() throws {
        var random = SeededGenerator(seed: 4)
        var draft = try random.draft()
        draft.idempotency = IdempotencyKey(
            scope: KeyHash(high: 5, low: 6),
            fingerprint: KeyHash(high: 7, low: 8)
        )
        let schedule = ScheduledNotification(
            id: ScheduleID(high: 7 << 16, low: 1),
            due: Timestamp(milliseconds: 9),
            draft: draft
        )
        let made = GroupEffect([.putSchedule(schedule)], head: 0)
        #expect(made.puts.map(\.key.kind) == [.schedule, .scheduleKey])
        #expect(made.puts[1].gone == 7)
        let ended = GroupEffect([.cancelSchedule(schedule)], head: 0)
        #expect(ended.puts.map(\.key.kind) == [.cancelled])
        #expect(ended.removals == [made.puts[0].key])
        let fired = GroupEffect([.putSchedule(schedule), .removeSchedule(schedule.id)], head: 0)
        #expect(fired.puts.map(\.key.kind) == [.scheduleKey])
        #expect(fired.removals == [made.puts[0].key])
    }
}

extension StoredItem {
    /// The same under another name.
    fileprivate func named(_ key: ItemKey) throws -> StoredItem {
        var checksum = Checksum([UInt64(key.kind.rawValue), gone == nil ? 0 : 1, gone ?? 0])
        checksum.append(UInt64(key.bytes.count))
        checksum.append(key.bytes)
        checksum.append(body)
        return try StoredItem(stored: body, key: key, gone: gone, checksum: checksum.value)
    }
}
