import HubHarness
import HubModel
import HubTags
import HubTemplates
import HubTestSupport
import HubVocabulary
import Testing

/// The spelling of every tag, in order: what `TagSet`'s own equality leaves out.
private func spelled(_ tags: TagSet) -> [[UInt8]] {
    (0..<tags.count).map { Array(tags.bytes[tags.range(at: $0)]) }
}

private func decode(_ bytes: [UInt8]) -> Result<Registration, RecordProblem> {
    do throws(RecordProblem) {
        return .success(try RegistrationCodec.decode(bytes.span))
    } catch { return .failure(error) }
}

@Suite("Stored registrations")
struct RegistrationCodecTests {
    @Test("read back as they were written", arguments: 0..<200 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let original = random.registration()
        let bytes = RegistrationCodec.encode(original)
        let read = try decode(bytes).get()
        #expect(RegistrationCodec.encode(read) == bytes, "seed \(seed)")
        #expect(read.number == original.number && read.id == original.id, "seed \(seed)")
        #expect(read.created == original.created && read.modified == original.modified)
        #expect(read.version == original.version && read.target == original.target)
        #expect(read.content.platform == original.content.platform)
        #expect(read.content.handle == original.content.handle)
        #expect(spelled(read.content.tags) == spelled(original.content.tags))
        #expect(spelled(read.granted) == spelled(original.granted))
        #expect(read.content.template == original.content.template)
        #expect(read.content.pushVariables == original.content.pushVariables)
        #expect(read.content.secondaryTileName == original.content.secondaryTileName)
        #expect(read.content.platformFields == original.content.platformFields)
        #expect(read.since == original.since && read.tagsSince == original.tagsSince)
        #expect(read.formerTags.map(\.until) == original.formerTags.map(\.until))
        #expect(
            read.formerTags.map { spelled($0.tags) } == original.formerTags.map { spelled($0.tags) }
        )
        #expect(read.historyCut == original.historyCut && read.expires == original.expires)
        #expect(read.template == nil)
    }

    @Test("cut anywhere are refused as truncated", arguments: 0..<20 as Range<UInt64>)
    func truncated(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = RegistrationCodec.encode(random.registration())
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
    func flipped(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = RegistrationCodec.encode(random.registration())
        for place in bytes.indices {
            for flip in [0x01, 0x20, 0xFF] as [UInt8] {
                var changed = bytes
                changed[place] ^= flip
                guard case .success(let read) = decode(changed) else { continue }
                #expect(RegistrationCodec.encode(read) == changed, "seed \(seed), byte \(place)")
            }
        }
    }

    @Test(
        "of more tags than any release took are refused before they are read",
        arguments: [4_096, 4_097]
    )
    func tags(count: Int) throws {
        var random = SeededGenerator(seed: 1)
        var original = random.registration()
        original.content.tags = TagSet((0..<count).map { Array("t\($0)".utf8) })
        let read = decode(RegistrationCodec.encode(original))
        if count <= RegistrationCodec.tagsMax {
            #expect(try read.get().content.tags.count == count)
        } else {
            #expect(throws: RecordProblem.badField("tags")) { try read.get() }
        }
    }

    @Test("of another format, or with bytes behind them, are named as such")
    func formats() throws {
        var random = SeededGenerator(seed: 1)
        var bytes = RegistrationCodec.encode(random.registration())
        var problem: RecordProblem?
        if case .failure(let found) = decode(bytes + [0]) { problem = found }
        #expect(problem == .trailingBytes(at: bytes.count))
        bytes[0] = 2
        if case .failure(let found) = decode(bytes) { problem = found }
        #expect(problem == .unknownFormat(2))
        if case .failure(let found) = decode([]) { problem = found }
        #expect(problem == .truncated(at: 0))
    }

    @Test("of random bytes never trap", arguments: 0..<300 as Range<UInt64>)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = [RegistrationCodec.format] + random.bytes(random.below(400))
        if case .success(let read) = decode(bytes) {
            #expect(RegistrationCodec.encode(read) == bytes, "seed \(seed)")
        }
    }
}
