package import Foundation

/// How a test hears what a child writes: with a limit, or on a thread that goes on to the end.
extension FileHandle {
    /// Returns what comes next; nothing is the end.
    /// - Throws: `Overdue` when nothing comes in time.
    package func next(within limit: Duration = .seconds(60)) throws -> Data {
        try ThreadWork { self.availableData }.value(within: limit)
    }

    /// Hands on everything that comes, piece by piece on a thread of its own; nothing is the end.
    package func hear(_ body: @escaping @Sendable (Data) -> Void) {
        Thread.detachNewThread {
            while true {
                let data = self.availableData
                body(data)
                if data.isEmpty { return }
            }
        }
    }
}
