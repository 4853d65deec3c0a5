package import HubVocabulary

/// The facts about one live registration that are in memory.
package struct RegistrationFacts {
    /// The platform whose sends reach it.
    package var platform: Platform
    /// Whether it has a template; otherwise it is native.
    package var isTemplate: Bool
    /// Whether it has a template that does not compile.
    package var isUndeliverable: Bool
    /// Where deliveries go; nil when no device of this hub has the handle.
    package var target: RegistrationTarget?
    /// From this sequence number on the present tags hold.
    package var tagsSince: UInt64
    /// When it lapses; nil for never.
    package var expires: Timestamp?

    /// Makes one of its parts.
    package init(
        platform: Platform,
        isTemplate: Bool,
        isUndeliverable: Bool,
        target: RegistrationTarget? = nil,
        tagsSince: UInt64,
        expires: Timestamp? = nil
    ) {
        self.platform = platform
        self.isTemplate = isTemplate
        self.isUndeliverable = isUndeliverable
        self.target = target
        self.tagsSince = tagsSince
        self.expires = expires
    }

    /// Whether its time is over.
    package func isExpired(_ now: Timestamp) -> Bool { expires.map { $0 <= now } ?? false }

    /// Whether sends of this format are for it.
    package func isMeant(by format: NotificationFormat) -> Bool {
        switch format {
        case .native(let platform): !isTemplate && self.platform == platform
        case .template: isTemplate
        }
    }
}

extension RegistrationFacts {
    /// The facts of a whole registration.
    package init(_ registration: Registration) {
        let content = registration.content
        platform = content.platform
        isTemplate = content.template != nil
        isUndeliverable = content.template != nil && registration.template == nil
        target = registration.target
        tagsSince = registration.tagsSince.sequence
        expires = registration.expires
    }

    /// The facts of an outline.
    package init(_ outline: RegistrationOutline, isUndeliverable: Bool) {
        platform = outline.platform
        isTemplate = !outline.template.isEmpty
        self.isUndeliverable = isUndeliverable
        target = outline.target
        tagsSince = outline.tagsSince.sequence
        expires = outline.expires
    }
}
