import HubModel
import HubRules
import HubTemplates
import HubVocabulary

/// One compiled template per definition, shared by all registrations that have it.
///
/// Holds no template alive: the registrations do. Keys are never used twice, so a parcel kept for
/// one template is never taken for another's.
final class TemplatePool {
    /// The parts of a definition that decide its compiled form.
    private struct Key: Hashable {
        var definition: TemplateDefinition
        var platform: Platform

        func hash(into hasher: inout Hasher) {
            hasher.combine(platform)
            hasher.combine(words: definition.name)
            hasher.combine(words: definition.body)
        }
    }

    private final class Entry {
        weak var template: SharedTemplate?
        init(_ template: SharedTemplate) { self.template = template }
    }

    private var entries: [Key: Entry] = [:]
    private var lastKey: UInt32 = 0
    /// How many entries there may be before those without a template are swept out.
    private var sweepAt = 1_024

    /// Returns the shared template, compiled now unless a registration has it; its definition is
    /// complete.
    ///
    /// - Throws: why the definition is no template of this platform.
    func compile(
        _ definition: TemplateDefinition,
        platform: Platform,
        limits: CoreLimits
    ) throws(Refusal) -> SharedTemplate {
        let asked = Key(definition: definition, platform: platform)
        if let known = entries[asked]?.template { return known }
        let completed = try RegistrationRules.template(
            definition,
            platform: platform,
            limits: limits
        )
        let template = try share(completed, platform: platform)
        if completed != definition { entries[asked] = Entry(template) }
        return template
    }

    /// As `compile`, for what is stored already, whatever the limits are now; nil when it no longer
    /// compiles.
    func stored(
        _ definition: TemplateDefinition,
        platform: Platform
    ) -> SharedTemplate? {
        // The reason was for the template's author; here only the count matters.
        try? share(definition, platform: platform)
    }

    private func share(
        _ definition: TemplateDefinition,
        platform: Platform
    ) throws(Refusal) -> SharedTemplate {
        let key = Key(definition: definition, platform: platform)
        if let known = entries[key]?.template { return known }
        let compiled = try RegistrationRules.compile(definition, platform: platform)
        lastKey += 1
        let template = SharedTemplate(key: lastKey, definition: definition, compiled: compiled)
        if entries.count >= sweepAt { sweep() }
        entries[key] = Entry(template)
        return template
    }

    private func sweep() {
        entries = entries.filter { $0.value.template != nil }
        sweepAt = max(1_024, entries.count * 2)
    }
}
