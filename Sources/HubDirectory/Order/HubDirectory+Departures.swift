import HubModel
import HubRules
import HubTags
import HubVocabulary

extension HubDirectory {
    /// Removes a registration without a request over REST, and notes that in the same group.
    func depart(_ registration: Registration, _ cause: DepartureCause) {
        note(registration, cause)
        table.remove(registration)
    }

    /// Notes that a registration ended, or its handle.
    func note(_ registration: Registration, _ cause: DepartureCause) {
        let tags = registration.content.tags
        let owner = tags.count > 0 ? InstallationRules.installation(ofTag: tags.tag(at: 0)) : nil
        departures.append(registration, cause, installation: owner, now: planningTime)
    }
}
