import HubModel

/// Changes of an operator's settings while sessions are open.
extension HubShard {
    /// Takes other settings; what was purged and not sent yet is not sent any more.
    func use(_ settings: HubSettings) {
        deviceCap = Int(settings.deviceCap)
        retentionSeconds = settings.retentionSeconds
        guard settings.purgedThrough > purgedThrough else { return }
        purgedThrough = settings.purgedThrough
        for index in sessions.indicesByDevice { dropPurged(index) }
    }

    private func dropPurged(_ index: SessionIndex) {
        guard case .catchingUp(let state) = sessions[index].mode else { return }
        let begun = sessions[index].progress.openGroup
        var cut = LogPage.Cut(through: 0, check: 0, count: 0, isPurge: true)
        state.held.removeAll { entry in
            guard entry.sequence <= purgedThrough, entry.sequence != begun else { return false }
            counters.unwritten.purged += 1
            countUnsent(.purged, entry.sequence, entry.platform, index)
            if entry.sequence != cut.through { cut.count += 1 }
            cut.through = entry.sequence
            cut.check = entry.check
            return true
        }
        guard cut.count > 0 else { return }
        sessions[index].note(cut, through: state.scanned)
        markDue(index)
    }
}
