package import HubModel
package import HubVocabulary

/// Takes back what is in the log up to a place: no device gets it any more, and those that would
/// have got it are told.
package struct Purge: HubChange {
    /// How much.
    package let extent: PurgeExtent

    /// Takes back so much.
    package init(_ extent: PurgeExtent) { self.extent = extent }

    package func plan(_ hub: HubState, now: Now) -> PlannedAnswer<HubSettings> {
        do throws(Refusal) {
            var changed = hub.settings.present
            let place = try hub.outbox.reading { () throws(StoreError) in
                try self.place(hub.log)
            }
            changed.purgedThrough = max(place, changed.purgedThrough)
            hub.settings.set(changed)
            return PlannedAnswer(.success(changed), needs: .changes)
        } catch {
            return PlannedAnswer(.failure(error), needs: .nothing)
        }
    }

    private func place(_ log: HubLog) throws(StoreError) -> UInt64 {
        switch extent {
        case .through(let sequence): return min(sequence, log.bounds.head)
        case .before(let time):
            let kept = try log.firstRecord { $0.id.time >= time }
            return kept.map { $0.sequence - 1 } ?? log.bounds.head
        }
    }
}
