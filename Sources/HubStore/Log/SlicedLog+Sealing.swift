import HubModel
import Synchronization

extension SlicedLog {
    /// Does one step of sealing the oldest slice that waits for it; false when none does.
    func seal(_ work: inout SliceSealing?) throws(StoreError) -> Bool {
        if work == nil {
            work = state.withLock { state in
                let waiting = state.slices.dropLast().first { $0.file != nil }
                guard let waiting, let file = waiting.file, let lists = waiting.lists else {
                    return nil
                }
                return SliceSealing(
                    number: waiting.row.number,
                    file: file,
                    lists: lists,
                    rowsPerStep: limits.rowsPerStep
                )
            }
        }
        guard let isReady = try work?.step() else { return false }
        guard isReady, let number = work?.number else { return true }
        try finish(number)
        work = nil
        return true
    }

    /// Marks a slice as sealed and lets go of its writing connection.
    private func finish(_ number: Int) throws(StoreError) {
        let found = state.withLock { state in
            state.slices.first { $0.row.number == number }
        }
        guard let slice = found, let file = slice.file else { return }
        var row = slice.row
        row.end = slice.end
        try file.store(row)
        state.withLock { state in
            guard let index = state.slices.firstIndex(where: { $0.row.number == number }) else {
                return
            }
            state.slices[index].row = row
            state.slices[index].file = nil
            state.coolDown(limits)
        }
        file.file.close()
        Self.endJournal(of: file.file.path)
    }
}
