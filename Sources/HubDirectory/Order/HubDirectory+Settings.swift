import HubModel
import HubVocabulary

// What operators decide for a hub: lifetimes, the cap on what waits for a device, purges.
// Source: rules B.6, C.8.

extension HubDirectory {
    /// Changes settings with the group.
    func change(_ change: HubSettingsChange) throws(Refusal) -> HubReply {
        let changed = try settings.changed(by: change, limits: limits)
        set(changed)
        return .settings(changed)
    }

    /// Takes back the records up to a place: a device that would get one hears of the loss instead.
    func plan(_ extent: PurgeExtent, _ token: RequestToken) {
        do throws(StoreError) {
            var changed = settings
            var place: UInt64
            switch extent {
            case .through(let sequence): place = min(sequence, bounds.head)
            case .before(let time):
                let kept = try firstRecord { $0.id.time >= time }
                place = kept.map { $0.sequence - 1 } ?? bounds.head
            }
            place = max(place, settings.purgedThrough)
            changed.purgedThrough = place
            set(changed)
            answers.append(.changed(token, .success(.settings(changed))))
        } catch {
            actions.append(.event(.readRefused(error)))
            answers.append(.known(token, .failure(error.refusal)))
        }
    }

    private func set(_ changed: HubSettings) {
        guard changed != settings else { return }
        if settingsBefore == nil { settingsBefore = settings }
        settings = changed
    }

    /// The group's settings are durable, or taken back; what shards must know.
    func settleSettings(_ result: CommitResult) {
        guard let before = settingsBefore else { return }
        settingsBefore = nil
        if result.changes != nil {
            settings = before
        } else {
            actions.append(.broadcast(.settings(settings)))
        }
    }

    /// The group's changed settings for the store; none when it changed none.
    var storedSettings: [StoredChange] { settingsBefore == nil ? [] : [.putSettings(settings)] }

    /// A draft that lives as long as the hub lets it.
    func limited(_ draft: NotificationDraft) -> NotificationDraft {
        guard case .seconds(let asked) = draft.timeToLive else { return draft }
        var limited = draft
        let seconds = draft.hasDefaultLifetime ? settings.timeToLiveDefaultSeconds : asked
        limited.timeToLive = .seconds(min(seconds, settings.retentionSeconds))
        return limited
    }
}
