import HubTags
package import HubTemplates
import HubVocabulary

extension RecordHeader {
    /// The earlier of the send's expiry and the template's; `0` makes the delivery transient.
    ///
    /// Source: rules B.9.
    package func lifetime(_ own: TemplateExpiry) -> Lifetime {
        if isTransient { return Lifetime(expires: expires, isTransient: true) }
        switch own {
        case .none: return Lifetime(expires: expires, isTransient: false)
        case .transient: return Lifetime(expires: id.time, isTransient: true)
        case .at(let seconds):
            let time = Timestamp(milliseconds: 0).adding(seconds: seconds)
            return Lifetime(expires: min(time, expires), isTransient: false)
        }
    }

    /// Whether a registration is of the record's format and matched at its place in the log,
    /// whatever its handle and template are worth.
    package func matches(_ registration: Registration) -> Bool {
        guard format.isFormat(of: registration) else { return false }
        switch target {
        case .broadcast: return registration.existed(at: sequence)
        case .tags(let expression):
            return registration.tags(at: sequence).map(expression.matches(tags:)) ?? false
        case .handles: return false
        case .slots(let targets):
            return registration.existed(at: sequence)
                && registration.target.map(targets.contains) == true
        }
    }
}

extension NotificationRecord {
    /// Whether a registration is of the record's format and matched at its place in the log,
    /// whatever its handle and template are worth.
    package func matches(_ registration: Registration) -> Bool { header.matches(registration) }
}
