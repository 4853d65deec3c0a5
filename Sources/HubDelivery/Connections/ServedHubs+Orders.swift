import HubModel
import HubVocabulary

/// Orders of sessions and hubs to the shard's owner.
extension ServedHubs {
    /// Asks for the pages of the log that sessions need before they can be flushed.
    ///
    /// - Returns: how many were asked for.
    func readLog(atMost most: Int, of shard: Int, _ actions: inout [ShardAction]) -> Int {
        var asked = 0
        for hub in all {
            for index in hub.turn.due {
                guard asked < most else { return asked }
                guard let query = hub.nextRead(index, of: shard) else { continue }
                asked += 1
                actions.append(.readLog(hub.name, query))
            }
        }
        return asked
    }

    /// Tells the directories how far devices have come and what was counted, in groups; those whose
    /// report is full, or all.
    func report(all isDue: Bool, of shard: Int, _ actions: inout [ShardAction]) {
        for hub in all where isDue || hub.isReportFull { report(hub, of: shard, &actions) }
    }

    private func report(
        _ hub: HubShard,
        ending index: SessionIndex? = nil,
        of shard: Int,
        _ actions: inout [ShardAction]
    ) {
        guard let report = hub.takeReport(of: shard, ending: index) else { return }
        actions.append(.directory(hub.name, .progress(report)))
    }

    /// Ends a session: its cursor is reported, with all that was counted before; its row is freed.
    func end(_ session: SessionReference, of shard: Int, _ actions: inout [ShardAction]) {
        let hub = self[session.hub]
        let cursor = hub.cursor(of: session.index)
        if case .catchingUp(let state) = hub.sessions[session.index].mode, state.isReading {
            actions.append(
                .forgetRead(
                    hub.name,
                    cursor.device,
                    sessionGeneration: cursor.sessionGeneration
                )
            )
        }
        if hub.leavesTrace(session.index) {
            report(hub, ending: session.index, of: shard, &actions)
        }
        actions.append(
            .directory(
                hub.name,
                .detach(device: cursor.device, sessionGeneration: cursor.sessionGeneration)
            )
        )
        hub.remove(session.index)
    }
}
