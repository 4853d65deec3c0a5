package import HubModel
package import HubVocabulary

/// Removes a registration whose handle a push service calls dead, with its installation.
///
/// One that was written since the request stays: its device came back. Returns whether it is gone.
package struct RemoveDeadHandle: HubChange {
    /// Which registration.
    package let number: RegistrationNumber
    /// Its version when the request was made.
    package let version: UInt64
    /// The word that the feedback has for it.
    package let cause: DepartureCause

    /// Makes the change.
    package init(_ number: RegistrationNumber, version: UInt64, _ cause: DepartureCause) {
        self.number = number
        self.version = version
        self.cause = cause
    }

    package func plan(_ hub: HubState, now: Now) -> PlannedAnswer<Bool> {
        PlannedAnswer { () throws(Refusal) in
            try hub.outbox.reading { () throws(StoreError) in
                guard let found = try hub.table[number] else { return true }
                guard found.version == version else { return false }
                if found.content.secondaryTileName.isEmpty,
                    let installation = hub.installation(of: found)
                {
                    try hub.remove(installation, cause)
                } else {
                    hub.depart(found, cause)
                }
                return true
            }
        }
    }
}
