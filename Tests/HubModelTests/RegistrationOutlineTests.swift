import HubHarness
import HubModel
import HubTags
import HubTestSupport
import HubVocabulary
import Testing

@Suite("Outlines of stored registrations")
struct RegistrationOutlineTests {
    private func outline(_ bytes: [UInt8]) -> Result<RegistrationOutline, RecordProblem> {
        do throws(RecordProblem) {
            return .success(try RegistrationOutline(bytes.span))
        } catch { return .failure(error) }
    }

    private func tags(_ range: Range<Int>, of bytes: [UInt8]) -> [[UInt8]] {
        var all: [[UInt8]] = []
        var position = range.lowerBound
        while position < range.upperBound {
            let tag = RegistrationOutline.tag(at: position, of: bytes.span)
            all.append(Array(bytes[tag]))
            position = tag.upperBound
        }
        return all
    }

    private func spelled(_ tags: TagSet) -> [[UInt8]] {
        (0..<tags.count).map { Array(tags.bytes[tags.range(at: $0)]) }
    }

    @Test("say what decoding says", arguments: 0..<200 as Range<UInt64>)
    func agrees(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let original = random.registration()
        let bytes = RegistrationCodec.encode(original)
        let found = try outline(bytes).get()
        #expect(found.number == original.number && found.target == original.target)
        #expect(found.platform == original.content.platform, "seed \(seed)")
        #expect(Array(bytes[found.id]) == original.id, "seed \(seed)")
        #expect(Array(bytes[found.handle]) == original.content.handle, "seed \(seed)")
        #expect(tags(found.ownTags, of: bytes) == spelled(original.content.tags), "seed \(seed)")
        #expect(tags(found.grantedTags, of: bytes) == spelled(original.granted), "seed \(seed)")
        #expect(found.since == original.since && found.tagsSince == original.tagsSince)
        #expect(found.expires == original.expires, "seed \(seed)")
        #expect(found.template.isEmpty == (original.content.template == nil), "seed \(seed)")
        guard let template = original.content.template else { return }
        let read = try RegistrationCodec.template(in: found.template, of: bytes.span)
        #expect(read == template, "seed \(seed)")
    }

    @Test("of bytes that are cut or changed are refused or found, never a trap", arguments: 0..<20)
    func damaged(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let bytes = RegistrationCodec.encode(random.registration())
        for count in 0..<bytes.count {
            guard case .failure(.truncated) = outline(Array(bytes[..<count])) else {
                Issue.record("seed \(seed), \(count) of \(bytes.count) bytes")
                return
            }
        }
        for _ in 0..<500 {
            var changed = bytes
            changed[random.below(bytes.count)] = UInt8(random.below(256))
            guard case .success(let found) = outline(changed) else { continue }
            _ = tags(found.ownTags, of: changed) + tags(found.grantedTags, of: changed)
        }
    }
}
