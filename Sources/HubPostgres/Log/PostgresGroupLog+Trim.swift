package import HubCluster
package import HubModel
import HubVocabulary

// Rows that may go: some of each table in one step.
extension PostgresGroupLog {
    /// Removes some of what may go; whether there may be more.
    package func trim(_ extent: TrimExtent) throws(StoreError) -> Bool {
        guard extent != trimmed else { return false }
        var after = place
        after.first = max(place.first, min(extent.first, place.head + 1))
        after.changesFirst = max(place.changesFirst, min(extent.changesBelow, place.feed + 1))
        if after != place {
            let head = behindLast(LogStatements.trim) { values in
                values.append(after.first)
                values.append(after.changesFirst)
            }
            try repeating([head])
            place = after
        }
        let steps = removals(extent)
        let answers = try session.once([behindLast(LogStatements.touch)] + steps)
        let hasMore = answers.dropFirst().contains { $0.changed >= limits.rowsPerStep }
        if !hasMore { trimmed = extent }
        return hasMore
    }

    private func removals(_ extent: TrimExtent) -> [PostgresCommand] {
        let most = UInt64(limits.rowsPerStep)
        func rows(_ statement: PostgresStatement, below end: UInt64) -> PostgresCommand {
            PostgresCommand(statement) { [hub] values in
                values.append(hub)
                values.append(end)
                values.append(most)
            }
        }
        func items(_ kind: ItemKind, goneBefore end: UInt64) -> PostgresCommand {
            PostgresCommand(LogStatements.trimItems) { [hub] values in
                values.append(hub)
                values.append(UInt64(kind.rawValue))
                values.append(end)
                values.append(most)
            }
        }
        var number: [UInt8] = []
        number.appendBigEndian(extent.departuresBelow)
        let departures = PostgresCommand(LogStatements.trimDepartures) { [hub] values in
            values.append(hub)
            values.append(UInt64(ItemKind.departure.rawValue))
            values.append(number)
            values.append(most)
        }
        return [
            rows(LogStatements.trimLog, below: place.first),
            rows(LogStatements.trimFeed, below: place.changesFirst),
            items(.registration, goneBefore: place.first),
            items(.scheduleKey, goneBefore: extent.keysBefore.milliseconds),
            departures,
        ]
    }
}
