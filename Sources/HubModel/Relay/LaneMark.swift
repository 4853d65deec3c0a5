/// How far a lane has come in the log, as it is stored.
///
/// It is stored in one transaction with the counts of the same checkpoint, so that each match counts
/// once, whatever is sent twice after a crash.
package struct LaneMark: Hashable, Sendable {
    /// A record that is begun and not finished.
    package struct Open: Hashable, Sendable {
        /// Which of its registrations are finished.
        package enum Progress: Hashable, Sendable {
            /// All below a number, and these above it.
            case through(below: UInt32, done: [UInt32])
            /// All but these.
            case allBut([UInt32])
        }

        /// Its place in the log.
        package var sequence: UInt64
        /// Which of its registrations are finished.
        package var progress: Progress

        /// Makes one of its parts.
        package init(sequence: UInt64, progress: Progress) {
            self.sequence = sequence
            self.progress = progress
        }

        /// The registrations of an audience that are left.
        package func left(of audience: [UInt32]) -> [UInt32] {
            switch progress {
            case .through(let below, let done):
                let finished = Set(done)
                return audience.filter { $0 >= below && !finished.contains($0) }
            case .allBut(let left):
                let waiting = Set(left)
                return audience.filter { waiting.contains($0) }
            }
        }
    }

    /// The log's epoch; a mark of another epoch says nothing.
    package var epoch: UInt64
    /// All records up to here are finished, but those that are open.
    package var scanned: UInt64
    /// An operator gave up all records up to here.
    package var givenUp: UInt64
    /// The open records, in the log's order.
    package var open: [Open]

    /// Makes a mark of its parts.
    package init(epoch: UInt64, scanned: UInt64, givenUp: UInt64 = 0, open: [Open] = []) {
        self.epoch = epoch
        self.scanned = scanned
        self.givenUp = givenUp
        self.open = open
    }

    /// Whether a record is finished for a registration.
    package func hasPassed(_ sequence: UInt64, _ registration: UInt32) -> Bool {
        guard let entry = open.first(where: { $0.sequence == sequence }) else {
            return sequence <= scanned
        }
        return entry.left(of: [registration]).isEmpty
    }

    /// Whether a record is finished for all registrations.
    package func hasPassed(_ sequence: UInt64) -> Bool {
        sequence <= scanned && !open.contains { $0.sequence == sequence }
    }

    /// The first record that the log must keep for the lane.
    package var needed: UInt64 { open.first?.sequence ?? scanned + 1 }
}
