import HubHarness
import HubModel
import HubTags
import HubTemplates
import HubTestSupport
import HubVocabulary
import Testing

private func decode(_ bytes: [UInt8]) -> Result<NotificationRecord, RecordProblem> {
    do throws(RecordProblem) {
        return .success(try NotificationCodec.decode(bytes.span, sequence: 7))
    } catch { return .failure(error) }
}

@Suite("Stored notifications")
struct NotificationCodecTests {
    @Test("read back as they were written", arguments: 0..<200 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let original = try random.record()
        let bytes = NotificationCodec.encode(original)
        let read = try decode(bytes).get()
        #expect(NotificationCodec.encode(read) == bytes, "seed \(seed)")
        #expect(read.sequence == 7 && read.id == original.id)
        let (left, right) = (read.draft, original.draft)
        #expect(left.format == right.format && left.body == right.body, "seed \(seed)")
        #expect(left.contentType == right.contentType && left.headers == right.headers)
        #expect(left.timeToLive == right.timeToLive && left.collapseKey == right.collapseKey)
        #expect(left.testedExpression == right.testedExpression, "seed \(seed)")
        #expect(left.priority == right.priority && left.wantsReceipts == right.wantsReceipts)
        switch (left.target, right.target) {
        case (.broadcast, .broadcast): break
        case (.tags(let one), .tags(let other)): #expect(one.source == other.source)
        case (.handles(let one), .handles(let other)): #expect(one == other)
        case (.slots(let one), .slots(let other)): #expect(one == other)
        default: Issue.record("seed \(seed): another target")
        }
        let name = Array("n".utf8)
        let found = read.draft.properties?.value(of: name).map(Array.init)
        #expect(found == original.draft.properties?.value(of: name).map(Array.init))
        #expect((found == nil) == (left.format != .template))
    }

    @Test("keep expressions that a hub with higher limits accepted")
    func wideExpression() throws {
        var limits = TagLimits()
        limits.expressionTagsMixedMax = 40
        let text = Array((0..<30).map { "!tag\($0)" }.joined(separator: "&&").utf8)
        let draft = NotificationDraft(
            format: .native(.gcm),
            target: .tags(try TagExpression(parsing: text, limits: limits)),
            body: Array("{}".utf8),
            timeToLive: .transient
        )
        let record = NotificationRecord(
            sequence: 1,
            id: NotificationID(high: 1, low: 2),
            draft: draft
        )
        let read = try decode(NotificationCodec.encode(record)).get()
        guard case .tags(let expression) = read.draft.target else {
            Issue.record("another target")
            return
        }
        #expect(expression.tagCount == 30)
    }

    @Test("cut anywhere are refused as truncated", arguments: 0..<20 as Range<UInt64>)
    func truncated(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let bytes = NotificationCodec.encode(try random.record())
        for count in 0..<bytes.count {
            guard case .failure(.truncated) = decode(Array(bytes[..<count])) else {
                Issue.record("seed \(seed), \(count) of \(bytes.count) bytes")
                return
            }
        }
    }

    @Test(
        "with any byte changed are refused, or are another value that writes the same bytes",
        arguments: 0..<5 as Range<UInt64>
    )
    func flipped(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let bytes = NotificationCodec.encode(try random.record())
        for place in bytes.indices {
            for flip in [0x01, 0x20, 0xFF] as [UInt8] {
                var changed = bytes
                changed[place] ^= flip
                guard case .success(let read) = decode(changed) else { continue }
                #expect(NotificationCodec.encode(read) == changed, "seed \(seed), byte \(place)")
            }
        }
    }

    @Test("of random bytes never trap", arguments: 0..<300 as Range<UInt64>)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = [NotificationCodec.format] + random.bytes(random.below(200))
        if case .success(let read) = decode(bytes) {
            #expect(NotificationCodec.encode(read) == bytes, "seed \(seed)")
        }
    }
}
