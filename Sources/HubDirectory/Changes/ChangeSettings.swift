package import HubModel
package import HubVocabulary

/// Changes how long the hub keeps what.
package struct ChangeSettings: HubChange {
    /// The change.
    package let change: HubSettingsChange

    /// Makes a change.
    package init(_ change: HubSettingsChange) { self.change = change }

    package func plan(_ hub: HubState, now: Now) -> PlannedAnswer<HubSettings> {
        PlannedAnswer { () throws(Refusal) in
            let changed = try hub.settings.present.changed(by: change, limits: hub.terms.limits)
            hub.settings.set(changed)
            return changed
        }
    }
}
