package import HubVocabulary

/// A hub as administrators see it: who may do what in it, and since when.
///
/// Source: REST §14.
package struct HubDescription: Sendable {
    /// The name, in lower case.
    package var name: HubName
    /// Its rules in the order given, at most 12.
    package var rules: [HubRule]
    /// The administrators' own note; empty for none.
    package var metadata: String
    /// How long registrations live after a write.
    ///
    /// Source: REST §4.16.
    package var registrationLife: RegistrationLife
    /// The credentials of push services, each secret masked; where hubs are shown.
    package var credentials: [DescribedCredential] = []
    /// When the hub was made.
    package var created: Timestamp
    /// When anything of this was last changed.
    package var modified: Timestamp

    /// Makes a description of its parts, which are not checked.
    package init(
        name: HubName,
        rules: [HubRule],
        metadata: String,
        registrationLife: RegistrationLife = .unlimited,
        created: Timestamp,
        modified: Timestamp
    ) {
        self.name = name
        self.rules = rules
        self.metadata = metadata
        self.registrationLife = registrationLife
        self.created = created
        self.modified = modified
    }

    /// A new hub's description: the rules asked for, or full, listen and send.
    ///
    /// `newKey` is called for every key that is not given.
    /// - Throws: `.invalid` naming what is wrong with a rule, `.tooManyInRequest` past 12 of them.
    package init(
        creating name: HubName,
        as definition: HubDefinition,
        now: Timestamp,
        limits: CoreLimits = .standard,
        newKey: () -> String
    ) throws(Refusal) {
        self.name = name
        metadata = try definition.checkedMetadata(limits) ?? ""
        registrationLife = definition.registrationLife ?? .unlimited
        created = now
        modified = now
        guard let asked = definition.rules else {
            rules = try AccessRule.hubDefaults(newKey: newKey).map {
                HubRule($0, created: now, modified: now)
            }
            return
        }
        rules = []
        rules = try replaced(by: asked, now: now, limits: limits, newKey: newKey)
    }

    /// This description with what a definition says; what it does not say stays.
    ///
    /// Rules are replaced as a whole; a rule without keys keeps those that it had.
    /// - Throws: `.invalid` naming what is wrong with a rule, `.tooManyInRequest` past 12 of them.
    package func updated(
        by definition: HubDefinition,
        now: Timestamp,
        limits: CoreLimits = .standard,
        newKey: () -> String
    ) throws(Refusal) -> HubDescription {
        var changed = self
        changed.modified = now
        if let metadata = try definition.checkedMetadata(limits) { changed.metadata = metadata }
        if let life = definition.registrationLife { changed.registrationLife = life }
        if let asked = definition.rules {
            changed.rules = try replaced(by: asked, now: now, limits: limits, newKey: newKey)
        }
        return changed
    }

    /// This description with one new key; the rule's other one goes on.
    ///
    /// - Throws: `.invalid` for the name of no rule.
    package func renewing(
        _ key: RuleKey,
        ofRule name: String,
        now: Timestamp,
        newKey: () -> String
    ) throws(Refusal) -> HubDescription {
        guard let index = rules.firstIndex(where: { $0.rule.name == name }) else {
            throw .invalid(field: "rule", reason: "is no access rule of this hub.")
        }
        var changed = self
        changed.modified = now
        changed.rules[index] = try rules[index].renewing(key, now: now, newKey: newKey)
        return changed
    }

    private func replaced(
        by asked: [HubDefinition.Rule],
        now: Timestamp,
        limits: CoreLimits,
        newKey: () -> String
    ) throws(Refusal) -> [HubRule] {
        guard asked.count <= limits.namespace.accessRulesMax else {
            throw .tooManyInRequest(
                what: "AuthorizationRules",
                limit: limits.namespace.accessRulesMax
            )
        }
        var made: [HubRule] = []
        for rule in asked {
            guard !made.contains(where: { $0.rule.name == rule.name }) else {
                throw .invalid(field: "KeyName", reason: "one name is there twice")
            }
            let old = rules.first { $0.rule.name == rule.name }
            let new = try AccessRule(
                name: rule.name,
                primaryKey: rule.primaryKey ?? old?.rule.primaryKey ?? newKey(),
                secondaryKey: rule.secondaryKey ?? old?.rule.secondaryKey ?? newKey(),
                rights: rule.rights,
                after: old?.rule,
                limits: limits
            )
            let isSame = old.map { $0.rule.isSame(as: new) } ?? false
            made.append(
                HubRule(
                    new,
                    created: old?.created ?? now,
                    modified: isSame ? old?.modified ?? now : now,
                    primaryMade: old?.made(new.primaryKey, as: .primary) ?? now,
                    secondaryMade: old?.made(new.secondaryKey, as: .secondary) ?? now
                )
            )
        }
        return made
    }
}

extension HubRule {
    /// When a key was made; nil when the rule has another one in its place.
    fileprivate func made(_ text: String, as key: RuleKey) -> Timestamp? {
        switch key {
        case .primary: text == rule.primaryKey ? primaryMade : nil
        case .secondary: text == rule.secondaryKey ? secondaryMade : nil
        }
    }
}

extension AccessRule {
    /// Whether both allow the same to the same keys.
    fileprivate func isSame(as other: AccessRule) -> Bool {
        name == other.name && primaryKey == other.primaryKey
            && secondaryKey == other.secondaryKey && rights == other.rights
    }
}
