@testable import HubHarness
import HubModel
import HubTags
import HubTemplates
import HubTestSupport
import HubVocabulary
import Testing

/// A log in memory, with registrations and the plainest way to say what one device missed of it.
struct Past {
    static let start: UInt64 = 1_700_000_000_000
    /// The device that the handle claims to lead to.
    let device = DeviceID(high: 0xAAAA_AAAA_AAAA_AAAA, low: 0xAAAA_AAAA_AAAA_AAAA)
    let handle = Array(repeating: UInt8(ascii: "A"), count: 64)
    let now = Timestamp(milliseconds: Past.start + 500_000)
    var records: [NotificationRecord] = []
    var registrations: [Registration] = []

    init(_ random: inout SeededGenerator, count: Int) throws {
        for number in 0..<1 + random.below(3) {
            registrations.append(try makeRegistration(number, &random, through: UInt64(count)))
        }
        for sequence in 1...UInt64(count) {
            records.append(try makeRecord(sequence, &random))
        }
    }

    private func tags(_ random: inout SeededGenerator) -> TagSet {
        TagSet((0..<5).filter { _ in random.below(2) == 0 }.map { Array("t\($0)".utf8) })
    }

    private func makeRegistration(
        _ number: Int,
        _ random: inout SeededGenerator,
        through head: UInt64
    ) throws -> Registration {
        let since = LogPlace(epoch: 1, sequence: 1 + random.next() % head)
        var template: TemplateDefinition?
        if random.below(3) == 0 {
            template = TemplateDefinition(
                name: [],
                body: Array(#"{"aps":{"alert":"$(m)"}}"#.utf8),
                expiry: random.below(2) == 0 ? Array("$(e)".utf8) : []
            )
        }
        var registration = Registration(
            number: RegistrationNumber(UInt32(number + 1)),
            id: Array("1-1-\(number)".utf8),
            version: 1,
            content: RegistrationContent(
                platform: .apple,
                handle: [],
                tags: tags(&random),
                template: template
            ),
            granted: TagSet(),
            target: RegistrationTarget(device: device, slot: UInt16(number * 3)),
            template: nil,
            since: since,
            tagsSince: since
        )
        if let template {
            registration.template = SharedTemplate(
                key: UInt32(number + 1),
                definition: template,
                compiled: try CompiledTemplate(
                    body: template.body,
                    syntax: .json,
                    expiry: template.expiry
                )
            )
        }
        while random.below(2) == 0 {
            let place = LogPlace(
                epoch: 1,
                sequence: registration.tagsSince.sequence + 1 + random.next() % 9
            )
            registration.formerTags.append(FormerTags(tags: registration.tags, until: place))
            registration.content.tags = tags(&random)
            registration.tagsSince = place
        }
        return registration
    }

    private func makeRecord(
        _ sequence: UInt64,
        _ random: inout SeededGenerator
    ) throws -> NotificationRecord {
        let isTemplate = random.below(3) == 0
        var target = NotificationTarget.broadcast
        switch random.below(6) {
        case 0: break
        case 1 where !isTemplate:
            let digit = random.below(2) == 0 ? "A" : "B"
            target = .handles([Array(String(repeating: digit, count: 64).utf8)])
        case 2:
            target = .slots([
                RegistrationTarget(device: device, slot: UInt16(random.below(3) * 3)),
                RegistrationTarget(device: DeviceID(high: 9, low: 9), slot: 0),
            ])
        default:
            let one = random.below(5)
            let texts = ["t\(one)", "t\(one) && !t\(random.below(5))", "!t\(one)", "t0||t\(one)"]
            let text = Array(texts[random.below(4)].utf8)
            target = .tags(try TagExpression(parsing: text))
        }
        let expiries = ["0", "2030-01-01T00:00:00Z", "2020-01-01T00:00:00Z", ""]
        let body = Array(#"{"m":"x","e":"\#(expiries[random.below(4)])"}"#.utf8)
        let seconds = UInt32([1, 100, 10_000, 20_000][random.below(4)])
        let draft = NotificationDraft(
            format: isTemplate ? .template : .native(random.below(5) == 0 ? .gcm : .apple),
            target: target,
            body: body,
            timeToLive: random.below(8) == 0 ? .transient : .seconds(seconds),
            collapseKey: random.below(2) == 0 ? Array("k\(random.below(3))".utf8) : []
        ).asRead
        return NotificationRecord(
            sequence: sequence,
            id: NotificationID(high: (Past.start + sequence) << 16, low: sequence),
            draft: draft,
            anchors: draft.anchors { _ in random.below(9) }
        )
    }

    func query(after: UInt64, limit: Int, cap: Int, purged: UInt64, recount: UInt64) -> LogQuery {
        LogQuery(
            address: ConnectionAddress(
                shard: 0,
                connection: ConnectionID(slot: 0, generation: 0)
            ),
            ticket: 1,
            after: after,
            through: UInt64(records.count),
            limit: limit,
            device: device,
            handle: handle,
            registrations: registrations,
            recountThrough: recount,
            deviceCap: cap,
            purgedThrough: purged
        )
    }

    /// One match, said as plainly as can be.
    struct Plain: Equatable {
        var sequence: UInt64
        var slot: UInt16
        var fate: MissedSet.Fate
    }

    /// What should become of every match behind `after`, by looking at everything again and again.
    func expected(after: UInt64, cap: Int, purged: UInt64, recount: UInt64) -> [Plain] {
        struct Found {
            var plain: Plain
            var key: [UInt8]
            var expires: Timestamp
            var isExempt: Bool
        }
        var found: [Found] = []
        for record in records where record.sequence > after && !record.isTransient {
            func add(_ slot: UInt16, _ expires: Timestamp) {
                found.append(
                    Found(
                        plain: Plain(sequence: record.sequence, slot: slot, fate: .due),
                        key: record.draft.collapseKey,
                        expires: expires,
                        isExempt: record.sequence <= max(purged, recount)
                    )
                )
            }
            if case .handles(let handles) = record.draft.target {
                if handles.contains(handle) { add(SlotNumber.direct, record.expires) }
                continue
            }
            for registration in registrations where record.matches(registration) {
                var lifetime = record.header.lifetime(.none)
                if let template = registration.template {
                    let rendered = template.compiled.render(
                        record.draft.properties ?? PropertyBag()
                    )
                    lifetime = record.header.lifetime(rendered.expiry)
                }
                if lifetime.isTransient { continue }
                add(registration.target?.slot ?? 0, lifetime.expires)
            }
        }
        for index in found.indices where found[index].plain.sequence > recount {
            let one = found[index]
            if one.expires <= now {
                found[index].plain.fate = .expired(one.expires)
            } else if one.plain.sequence <= purged {
                found[index].plain.fate = .purged
            } else if !one.key.isEmpty {
                let newer = found[(index + 1)...].first { other in
                    other.plain.slot == one.plain.slot && other.key == one.key && !other.isExempt
                }
                if let newer { found[index].plain.fate = .collapsed(by: newer.plain.sequence) }
            }
        }
        let due = Set(
            found.filter { $0.plain.fate == .due && $0.plain.sequence > recount }
                .map(\.plain.sequence)
        ).sorted()
        let cut = Set(due.dropLast(cap))
        for index in found.indices
        where found[index].plain.fate == .due && cut.contains(found[index].plain.sequence) {
            found[index].plain.fate = .capped
        }
        return found.map(\.plain)
    }
}

/// The records as a store without lists reads them.
struct PastLog: LogReading {
    let records: [NotificationRecord]
    var purgedGone: UInt64 = 0

    func records(
        after: UInt64,
        through: UInt64,
        limit: Int,
        bytesMax: Int
    ) throws(StoreError) -> [NotificationRecord] {
        Array(
            records.filter { $0.sequence > after && $0.sequence <= through }.prefix(limit)
        )
    }

    func check(at sequence: UInt64) throws(StoreError) -> UInt32? {
        records.first { $0.sequence == sequence }?.id.check
    }
}

/// A log that has lost a part whose records are still remembered.
private struct TrimmedLog: LayeredReading {
    let log: any MissedReading
    let all: PastLog

    func records(
        at sequences: ArraySlice<UInt64>,
        bytesMax: Int
    ) throws(StoreError) -> [NotificationRecord] {
        try all.records(at: sequences, bytesMax: bytesMax)
    }

    func headers(at sequences: ArraySlice<UInt64>) throws(StoreError) -> [RecordHeader] {
        try all.headers(at: sequences)
    }
}

@Suite("Missed sets")
struct MissedSetTests {
    @Test("are what looking at everything again and again would find", arguments: 0..<150)
    func model(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let past = try Past(&random, count: 1 + random.below(120))
        let head = UInt64(past.records.count)
        let after = random.next() % head
        let cap = [1, 3, 10_000][random.below(3)]
        let purged = random.below(3) == 0 ? random.next() % (head + 1) : 0
        let recount = random.below(3) == 0 ? random.next() % (head + 1) : 0
        let limit = [1, 4, 256][random.below(3)]
        let expected = past.expected(after: after, cap: cap, purged: purged, recount: recount)
        var found: [Past.Plain] = []
        var cut: UInt32 = 0
        var place = after
        let log = PastLog(records: past.records)
        while place < head {
            let query = past.query(
                after: place,
                limit: limit,
                cap: cap,
                purged: purged,
                recount: recount
            )
            let page = try query.page(from: log, now: past.now)
            let whole = try query.page(ofAll: Array(past.records[Int(place)...]), now: past.now)
            #expect(whole.matches == page.matches && whole.through == page.through)
            #expect(whole.records.map(\.sequence) == page.records.map(\.sequence))
            let matches = try #require(page.matches)
            found += matches.map {
                Past.Plain(sequence: $0.sequence, slot: $0.slot, fate: $0.fate)
            }
            let due = Set(matches.filter { $0.fate == .due }.map(\.sequence)).sorted()
            #expect(page.records.map(\.sequence) == due && due.count <= limit, "seed \(seed)")
            cut += page.cut?.count ?? 0
            #expect(page.through > place, "seed \(seed)")
            place = page.through
        }
        #expect(found == expected, "seed \(seed)")
        let lost = Set(expected.filter { $0.fate == .capped || $0.fate == .purged }.map(\.sequence))
        #expect(cut == UInt32(lost.count), "seed \(seed)")
    }

    @Test("tell of purged records that left the log unseen, though memory still holds them")
    func trimmed() throws {
        var random = SeededGenerator(seed: 7)
        let past = try Past(&random, count: 40)
        let all = PastLog(records: past.records)
        let log = TrimmedLog(
            log: PastLog(records: Array(past.records[10...]), purgedGone: 10),
            all: all
        )
        let behind = past.query(after: 4, limit: 256, cap: 10_000, purged: 12, recount: 0)
        let cut = try #require(try behind.page(from: log, now: past.now).cut)
        #expect(cut.isPurge && cut.count == ResumeDecision.lostUnknown && cut.through >= 10)
        // A device that has seen them lost nothing by it.
        for (after, recount) in [(10, 0), (4, 10)] as [(UInt64, UInt64)] {
            let query = past.query(
                after: after,
                limit: 256,
                cap: 10_000,
                purged: 12,
                recount: recount
            )
            let count = try query.page(from: log, now: past.now).cut?.count ?? 0
            #expect(count <= 2)
        }
    }

    @Test("of a device whose log has hundreds of thousands of matches are bounded, the oldest cut")
    func bounded() throws {
        var random = SeededGenerator(seed: 1)
        var past = try Past(&random, count: 1)
        past.registrations = Array(past.registrations.prefix(1))
        past.registrations[0].content.template = nil
        past.registrations[0].template = nil
        past.registrations[0].since.sequence = 1
        past.registrations[0].tagsSince.sequence = 1
        let count = 2 * MissedSet.matchesMax + 10
        let query = past.query(after: 0, limit: 9, cap: 5, purged: 0, recount: 0)
        var set = MissedSet(query, now: past.now)
        for sequence in 1...UInt64(count) {
            let header = RecordHeader(
                sequence: sequence,
                id: NotificationID(high: Past.start << 16, low: sequence),
                format: .native(.apple),
                target: .broadcast,
                timeToLive: .seconds(10_000),
                collapseKey: []
            )
            set.add(header) { nil }
        }
        set.cut()
        #expect(set.matches.count == MissedSet.matchesMax + 10)
        #expect(set.overflow == MissedSet.matchesMax)
        #expect(set.overflowThrough == UInt64(MissedSet.matchesMax))
        #expect(set.forgottenFates == FateCounts(capped: UInt64(MissedSet.matchesMax)))
        #expect(set.matches.count { $0.fate == .due } == 5)
    }
}
