import HubModel
import HubVocabulary

/// The operators' settings of a hub: lifetimes, the cap for absent devices, purges.
///
/// Source: rules B.6, C.8.
final class SettingsBook: GroupPart {
    /// The present settings, the group's changes included.
    private(set) var present: HubSettings
    /// The settings before the group changed them; nil when it did not.
    private var before: HubSettings?

    /// Begins with what the store has.
    init(_ stored: HubSettings) { present = stored }

    /// Changes settings with the group.
    func set(_ changed: HubSettings) {
        guard changed != present else { return }
        if before == nil { before = present }
        present = changed
    }

    /// A draft that lives as long as the hub lets it.
    func limited(_ draft: NotificationDraft) -> NotificationDraft {
        guard case .seconds(let asked) = draft.timeToLive else { return draft }
        var limited = draft
        let seconds = draft.hasDefaultLifetime ? present.timeToLiveDefaultSeconds : asked
        limited.timeToLive = .seconds(min(seconds, present.retentionSeconds))
        return limited
    }

    // MARK: The group

    var storedChanges: [StoredChange] { before == nil ? [] : [.putSettings(present)] }

    var touchedCount: Int { before == nil ? 0 : 1 }

    func settle(_ outcome: GroupOutcome, _ news: inout GroupNews) {
        guard let before else { return }
        self.before = nil
        if outcome.areChangesDurable {
            news.broadcasts.append(.settings(present))
        } else {
            present = before
        }
    }
}
