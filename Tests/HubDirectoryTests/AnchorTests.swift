import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubTags
import HubTestSupport
import HubVocabulary
import Testing

private func tags(_ numbers: some Sequence<Int>) -> TagSet {
    TagSet(numbers.map { Array("t\($0)".utf8) })
}

private func someTags(_ random: inout SeededGenerator) -> TagSet {
    tags((0..<8).filter { _ in random.below(3) == 0 })
}

/// An expression over `t0`…`t7`, sometimes in other spellings; `depth` levels of operators.
private func expression(_ depth: Int, _ random: inout SeededGenerator) -> String {
    let sign = random.below(4) == 0 ? "!" : ""
    guard depth > 0 else { return sign + (random.below(2) == 0 ? "t" : "T") + "\(random.below(8))" }
    let left = expression(depth - 1, &random)
    let right = expression(random.below(depth), &random)
    return sign + "(" + left + (random.below(2) == 0 ? " && " : " || ") + right + ")"
}

private func registration(
    _ random: inout SeededGenerator,
    device: DeviceID,
    history: Int
) -> Registration {
    var registration = Registration(
        number: RegistrationNumber(1),
        id: Array("1-1-1".utf8),
        version: 1,
        content: RegistrationContent(platform: .gcm, handle: [], tags: someTags(&random)),
        granted: someTags(&random),
        target: RegistrationTarget(device: device, slot: 0),
        template: nil,
        since: LogPlace(epoch: 1, sequence: 1),
        tagsSince: LogPlace(epoch: 1, sequence: 1)
    )
    var place: UInt64 = 1
    for _ in 0..<history {
        place += UInt64(1 + random.below(5))
        registration.formerTags.append(
            FormerTags(tags: registration.tags, until: LogPlace(epoch: 1, sequence: place))
        )
        registration.content.tags = someTags(&random)
        registration.granted = someTags(&random)
        registration.tagsSince = LogPlace(epoch: 1, sequence: place)
    }
    return registration
}

private func draft(_ target: NotificationTarget) -> NotificationDraft {
    NotificationDraft(
        format: .native(.gcm),
        target: target,
        body: [],
        timeToLive: .seconds(60)
    )
}

@Suite("Anchors")
struct AnchorTests {
    @Test(
        "whoever matches a record has one of its anchors, with the tags of any time behind a place",
        arguments: 0..<40
    )
    func invariant(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let device = DeviceID(high: random.next(), low: random.next())
        for _ in 0..<50 {
            let text = expression(random.below(4), &random)
            var limits = TagLimits()
            limits.expressionTagsMixedMax = 32
            let parsed = try TagExpression(parsing: Array(text.utf8), limits: limits)
            let anchors = draft(.tags(parsed)).anchors { _ in random.below(100) }
            #expect(anchors == Set(anchors).sorted())
            let registration = registration(&random, device: device, history: random.below(6))
            let last = registration.tagsSince.sequence + 3
            for after in 0..<last {
                var own: Set<AnchorKey> = [.everyone]
                registration.addAnchors(after: after, to: &own)
                for sequence in after + 1...last {
                    let tags = try #require(registration.tags(at: sequence))
                    guard parsed.matches(tags: tags) else { continue }
                    #expect(
                        anchors.contains(where: own.contains),
                        "\(text) at \(sequence), seen from \(after), seed \(seed)"
                    )
                }
            }
        }
    }

    @Test("the rarest tags are chosen, and everyone where no tag is needed")
    func choice() throws {
        func anchors(_ text: String) throws -> [AnchorKey] {
            let expression = try TagExpression(parsing: Array(text.utf8))
            return draft(.tags(expression)).anchors { tag in tag[0] == UInt8(ascii: "r") ? 1 : 50 }
        }
        func key(_ tag: String) -> AnchorKey { AnchorKey(tag: Array(tag.utf8).span) }
        #expect(try anchors("common && rare") == [key("rare")])
        #expect(try anchors("common || rare") == [key("common"), key("rare")].sorted())
        #expect(try anchors("common && (r1 || r2)") == [key("r1"), key("r2")].sorted())
        #expect(try anchors("RARE || rare") == [key("rare")])
        #expect(try anchors("!rare") == [.everyone])
        #expect(try anchors("rare || !common") == [.everyone])
        #expect(try anchors("rare && !common") == [key("rare")])
        // 1,024 conjunctions, if they were multiplied out.
        let pairs = (0..<10).map { "(a\($0) || b\($0))" }.joined(separator: " && ")
        var limits = TagLimits()
        limits.expressionTagsMixedMax = 20
        let wide = try TagExpression(parsing: Array(pairs.utf8), limits: limits)
        let found = draft(.tags(wide)).anchors { $0[1] == UInt8(ascii: "7") ? 1 : 2 }
        #expect(found == [key("a7"), key("b7")].sorted())
        #expect(draft(.broadcast).anchors { _ in 0 } == [.everyone])
    }

    @Test("a record is listed under its collapse key, unless it is transient or means nobody")
    func collapseKeys() throws {
        var one = draft(.broadcast)
        one.collapseKey = Array("k".utf8)
        let key = AnchorKey(collapseKey: Array("k".utf8))
        #expect(one.anchors { _ in 0 } == [.everyone, key])
        #expect(key != AnchorKey(collapseKey: Array("K".utf8)))
        one.timeToLive = .transient
        #expect(one.anchors { _ in 0 } == [.everyone])
        one.timeToLive = .seconds(60)
        one.target = .handles([Array("foreign".utf8)])
        #expect(one.anchors { _ in 0 } == [])
    }

    @Test("direct and test sends are listed under their devices, foreign handles nowhere")
    func devices() throws {
        let hub = try #require(HubName("news"))
        let secret = try #require(HubSecret((0..<32).map { UInt8($0) }))
        let devices = (1...1_000).map { DeviceID(high: 7, low: UInt64($0)) }
        let handles = devices.map {
            PushHandle(device: $0, hub: hub, secret: secret, generation: 0).text
        }
        let direct = draft(.handles(handles)).anchors { _ in 0 }
        #expect(direct == devices.map(AnchorKey.init(device:)).sorted())
        #expect(draft(.handles([Array("foreign".utf8)])).anchors { _ in 0 } == [])
        let slots = [0, 1, 5].map { RegistrationTarget(device: devices[3], slot: $0) }
        #expect(draft(.slots(slots)).anchors { _ in 0 } == [AnchorKey(device: devices[3])])
    }

    @Test("keys of everyone, tags and devices never meet, and spellings of a tag do")
    func kinds() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<1_000 {
            let tag = random.bytes(random.below(20))
            let upper = tag.map { $0 >= 97 && $0 <= 122 ? $0 & 0xDF : $0 }
            let key = AnchorKey(tag: tag.span)
            #expect(key.raw & 1 == 0 && key != .everyone)
            #expect(key == AnchorKey(tag: upper.span), "\(tag)")
            let device = DeviceID(high: random.next(), low: random.next())
            #expect(AnchorKey(device: device).raw & 1 == 1)
        }
        // Kept on disk: another value would lose what was stored.
        #expect(AnchorKey(tag: Array("news".utf8).span).raw == 4_401_901_319_378_016_842)
        #expect(AnchorKey(device: DeviceID(high: 1, low: 2)).raw == 17_235_469_408_947_973_867)
    }

    @Test("a store without lists finds what lists would find, in parts", arguments: [1, 2, 7, 500])
    func naive(limit: Int) throws {
        let hub = try DirectoryHarness()
        for number in 0..<600 {
            let text = Array("t\(number % 5)".utf8)
            _ = hub.submit(Send(draft(.tags(try TagExpression(parsing: text)))))
        }
        hub.run()
        let reader = hub.storage.reader
        var own: Set<AnchorKey> = []
        own.insert(AnchorKey(tag: Array("T3".utf8).span))
        var found: [UInt64] = []
        var place: UInt64 = 17
        while place < 555 {
            let part = try reader.candidates(
                anchors: own,
                after: place,
                through: 555,
                limit: limit
            )
            #expect(part.through > place && part.sequences.count <= limit)
            found += part.sequences
            place = part.through
        }
        #expect(found == (18...555).filter { $0 % 5 == 4 })
        let records = try reader.records(at: found[...], bytesMax: .max)
        #expect(records.map(\.sequence) == found)
        #expect(try reader.records(at: [3, 900], bytesMax: 0).map(\.sequence) == [3])
        #expect(try reader.headers(at: found[...]).map(\.id) == records.map(\.id))
    }
}
