/// What is in memory of one live registration.
struct RegistrationFacts {
    /// Whose sends reach it.
    var platform: Platform
    /// Whether it has a template; otherwise it is native.
    var isTemplate: Bool
    /// Whether it has a template that does not compile.
    var isUndeliverable: Bool
    /// Where deliveries go; nil when the handle is none of ours.
    var target: RegistrationTarget?
    /// From this sequence number on the present tags hold.
    var tagsSince: UInt64
    /// When it lapses; nil for never.
    var expires: Timestamp?

    /// Whether its time is over.
    func isExpired(_ now: Timestamp) -> Bool { expires.map { $0 <= now } ?? false }

    /// Whether sends of this format are for it.
    func isMeant(by format: NotificationFormat) -> Bool {
        switch format {
        case .native(let platform): !isTemplate && self.platform == platform
        case .template: isTemplate
        }
    }
}

extension RegistrationFacts {
    init(_ registration: Registration) {
        let content = registration.content
        platform = content.platform
        isTemplate = content.template != nil
        isUndeliverable = content.template != nil && registration.template == nil
        target = registration.target
        tagsSince = registration.tagsSince.sequence
        expires = registration.expires
    }

    init(_ outline: RegistrationOutline, isUndeliverable: Bool) {
        platform = outline.platform
        isTemplate = !outline.template.isEmpty
        self.isUndeliverable = isUndeliverable
        target = outline.target
        tagsSince = outline.tagsSince.sequence
        expires = outline.expires
    }
}
