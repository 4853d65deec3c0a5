import HubModel
import Synchronization

// A sealed slice's lists may be damaged and its records sound: then devices go on getting them.
extension SlicedLog {
    /// Notes that the lists in a slice's file cannot be read, and makes them anew in memory from what
    /// was kept of each group; false when that cannot be read either, or was of no use before.
    func remakeLists(of number: Int) throws(StoreError) -> Bool {
        let slice = state.withLock { state in
            _ = state.note(damagedListsOf: number)
            return state.slices.first { $0.row.number == number }
        }
        guard let slice, !slice.isWithoutLists else { return false }
        var lists = AnchorLists()
        do throws(StoreError) {
            _ = try reading(number) { reader throws(StoreError) in
                lists = try reader.lists(from: slice.row.first, through: slice.end.head)
            }
        } catch {
            guard case .corrupted = error else { throw error }
            state.withLock { state in
                let index = state.slices.firstIndex { $0.row.number == number }
                if let index { state.slices[index].isWithoutLists = true }
            }
            return false
        }
        state.withLock { state in
            let index = state.slices.firstIndex { $0.row.number == number }
            if let index, state.slices[index].lists == nil { state.slices[index].lists = lists }
        }
        return true
    }

    /// Returns every place of a slice whose lists are lost; its readers then look at all its
    /// records.
    func everything(after: UInt64, through: UInt64, in number: Int, limit: Int) -> LogCandidates {
        let slice = state.withLock { state in state.slices.first { $0.row.number == number } }
        guard let slice, slice.row.first <= slice.end.head, after < slice.end.head else {
            return LogCandidates(sequences: [], through: through)
        }
        let start = max(after + 1, slice.row.first)
        let last = min(through, slice.end.head)
        guard start <= last else { return LogCandidates(sequences: [], through: through) }
        let end = min(last, start + UInt64(max(1, limit)) - 1)
        return LogCandidates(sequences: Array(start...end), through: end == last ? through : end)
    }

    /// The slices whose lists were found damaged since the last call.
    func takeDamagedLists() -> [Int] {
        state.withLock { state in
            defer { state.untoldDamage = [] }
            return state.untoldDamage
        }
    }
}
