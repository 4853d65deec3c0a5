import HubModel
import HubTags
import HubVocabulary

/// Which templates of stored registrations compile; each is tried once.
struct LoadedTemplates {
    private let hash: TagHash
    private var compiles: [UInt64: Bool] = [:]

    /// `seed` must be drawn at random.
    init(seed: UInt64) { hash = TagHash(seed: seed) }

    /// Whether a registration has a template that does not compile.
    mutating func isUndeliverable(
        _ outline: RegistrationOutline,
        _ bytes: Span<UInt8>,
        _ pool: TemplatePool
    ) throws(RecordProblem) -> Bool {
        guard !outline.template.isEmpty else { return false }
        let template = bytes.extracting(outline.template)
        let key = hash.exactValue(of: template) ^ UInt64(outline.platform.rawValue)
        if let known = compiles[key] { return !known }
        let definition = try RegistrationCodec.template(in: outline.template, of: bytes)
        let isSound = pool.stored(definition, platform: outline.platform) != nil
        compiles[key] = isSound
        return !isSound
    }
}
