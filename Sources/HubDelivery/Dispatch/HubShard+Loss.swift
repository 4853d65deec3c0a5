import HubModel
import HubVocabulary
import HubWire

/// History that was cut while a session had not evaluated it yet. Source: rules A.6; Protocol R-7.
extension HubShard {
    /// Skips what can no longer be evaluated: the records below the place at which the tag history
    /// of one of the device's registrations was cut, as HELLO does.
    ///
    /// Entries that were evaluated before are still sent, then GAP, then the later ones. To be
    /// called when a reading session gets registrations, or starts to read with those it has.
    func skipCutHistory(_ index: SessionIndex) {
        guard case .catchingUp(let state) = sessions[index].mode,
            let cut = sessions[index].registrations.map(\.historyCut).max(),
            max(state.scanned, sessions[index].recountThrough) + 1 < cut
        else { return }
        // The last record that is skipped is read for its check value.
        state.scanned = cut - 2
        sessions[index].note(
            HistoryLoss(
                through: cut - 1,
                lost: ResumeDecision.lostUnknown,
                reason: .tagHistoryCut
            )
        )
    }

    /// Feed items were left out: every session steps back, to be loaded again.
    func loseFeed(head: UInt64, check: UInt32, of shard: Int) -> [DeviceReload] {
        var devices: [DeviceReload] = []
        for index in sessions.indicesByDevice {
            stepBack(index)
            devices.append(
                DeviceReload(
                    device: sessions[index].device,
                    sessionGeneration: sessions[index].generation,
                    address: ConnectionAddress(
                        shard: shard,
                        connection: sessions[index].connection
                    )
                )
            )
        }
        if head > feed.applied {
            feed.applied = head
            feed.check = check
        }
        return devices
    }
}
