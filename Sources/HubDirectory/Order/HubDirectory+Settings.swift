import HubModel
import HubVocabulary

// What operators decide for a hub: lifetimes, the cap on what waits for a device, purges.
// Source: rules B.6, C.8.

extension HubDirectory {
    /// Changes settings with the group.
    func change(_ change: HubSettingsChange) throws(Refusal) -> HubReply {
        let changed = try settings.changed(by: change, limits: limits)
        settingsBook.set(changed)
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
            settingsBook.set(changed)
            answers.append(.changed(token, .success(.settings(changed))))
        } catch {
            actions.append(.event(.readRefused(error)))
            answers.append(.known(token, .failure(error.refusal)))
        }
    }
}
