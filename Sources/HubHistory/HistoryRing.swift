package import HubVocabulary

/// Numbers over time: each few seconds for an hour, and each minute for a day.
///
/// A time without a reading is a hole.
package struct HistoryRing: Sendable {
    /// How far apart values are.
    package enum Step: Int, CaseIterable, Sendable {
        /// For an hour.
        case fine
        /// For a day.
        case coarse

        /// Seconds between two values.
        package var seconds: Int {
            self == .fine ? HistoryLimits.fine.seconds : HistoryLimits.coarse.seconds
        }
    }

    /// Values of each series, from one time on.
    package struct Page: Equatable, Sendable {
        /// When the first value was read, to the step.
        package var first: Timestamp
        /// Seconds between two values.
        package var stepSeconds: Int
        /// By the name of a series; nil where there was no reading.
        package var series: [String: [Double?]]
    }

    /// One row of readings.
    private struct Band {
        let seconds: UInt64
        let slots: UInt64
        let width: Int
        var values: [Double] = []
        /// The slot of the newest reading, counted from 1970; nil before the first one.
        var newest: UInt64?

        mutating func add(_ reading: [Double], at time: Timestamp) {
            let slot = time.milliseconds / 1_000 / seconds
            if values.isEmpty {
                values = Array(repeating: .nan, count: Int(slots) * width)
            }
            for missed in (newest ?? slot)..<slot where slot - missed < slots {
                place(Array(repeating: .nan, count: width), in: missed + 1)
            }
            if let newest, slot - newest >= slots {
                values = Array(repeating: .nan, count: values.count)
            }
            place(reading, in: slot)
            newest = slot
        }

        private mutating func place(_ reading: [Double], in slot: UInt64) {
            let start = Int(slot % slots) * width
            for (offset, value) in reading.enumerated() { values[start + offset] = value }
        }

        func value(_ series: Int, in slot: UInt64) -> Double? {
            let value = values[Int(slot % slots) * width + series]
            return value.isNaN ? nil : value
        }
    }

    /// The names of the series, in the order of readings.
    package let names: [String]
    private var fine: Band
    private var coarse: Band
    private var latest: Timestamp?

    /// A ring without readings.
    package init(names: [String]) {
        self.names = names
        func band(_ size: (seconds: Int, slots: Int)) -> Band {
            Band(seconds: UInt64(size.seconds), slots: UInt64(size.slots), width: names.count)
        }
        (fine, coarse) = (band(HistoryLimits.fine), band(HistoryLimits.coarse))
    }

    /// Adds a reading with a value for each name; of several in one step the last one counts.
    package mutating func add(_ reading: [Double], at time: Timestamp) {
        precondition(reading.count == names.count, "a reading has a value for each name")
        // A clock that was set back does not change the past.
        guard time >= latest ?? time else { return }
        latest = time
        fine.add(reading, at: time)
        coarse.add(reading, at: time)
    }

    /// Returns the values of some series that are kept, from a time on.
    package func page(_ step: Step, of series: [String], since: Timestamp?) -> Page {
        let band = step == .fine ? fine : coarse
        let known = names.indices.filter { series.contains(names[$0]) }
        guard let newest = band.newest else {
            let empty = known.map { (names[$0], [Double?]()) }
            return Page(
                first: Timestamp(milliseconds: 0),
                stepSeconds: step.seconds,
                series: Dictionary(uniqueKeysWithValues: empty)
            )
        }
        let oldest = newest + 1 - min(newest + 1, band.slots)
        let asked = (since?.milliseconds ?? 0) / 1_000 / band.seconds
        let first = min(max(oldest, asked), newest)
        let columns = known.map { place in
            (names[place], (first...newest).map { band.value(place, in: $0) })
        }
        return Page(
            first: Timestamp(milliseconds: first * band.seconds * 1_000),
            stepSeconds: step.seconds,
            series: Dictionary(uniqueKeysWithValues: columns)
        )
    }
}
