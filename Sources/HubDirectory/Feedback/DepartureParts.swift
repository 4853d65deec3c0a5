import HubModel
import HubVocabulary

extension DepartureRow {
    fileprivate static let dayMilliseconds: UInt64 = 86_400_000

    /// Days since 1970, in UTC.
    fileprivate var day: UInt64 { time.milliseconds / Self.dayMilliseconds }
}

extension HubDirectory {
    /// Answers a command that reads of the feedback.
    func feedback(_ command: HubCommand, now: Now) throws(Refusal) -> HubReply {
        switch command {
        case .departures(let question):
            return .departures(
                try reading { () throws(StoreError) in try answer(question, now: now.time) }
            )
        case .failures(let name, let start):
            let part = try reading { () throws(StoreError) in
                try failures(of: name, from: start, now: now)
            }
            guard let part else { throw .notificationNotFound }
            return .failures(part)
        default: preconditionFailure("a command that reads nothing of the feedback")
        }
    }

    /// Answers a question about departures that are kept and not too old.
    func answer(
        _ question: DepartureQuestion,
        now: Timestamp
    ) throws(StoreError) -> DepartureAnswer {
        guard let kept = try departureStore.departureNumbers(),
            let first = try firstDeparture(in: kept, since: oldest(now))
        else {
            if case .parts = question { return .parts([], next: nil) }
            return .rows([])
        }
        let numbers = first...kept.upperBound
        switch question {
        case .rows(let wanted):
            let start = max(wanted.lowerBound, first)
            let end = min(wanted.upperBound, kept.upperBound)
            guard start <= end else { return .rows([]) }
            let limit = min(end - start, UInt64(max(1, limits.departuresPerAnswer)) - 1) + 1
            return .rows(try departureStore.departures(from: start, limit: Int(limit)))
        case .parts(let start): return try parts(of: numbers, from: max(start, first))
        }
    }

    private func oldest(_ now: Timestamp) -> Timestamp {
        let kept = limits.departuresKeptSeconds * 1_000
        return Timestamp(milliseconds: now.milliseconds - min(now.milliseconds, kept))
    }

    private func parts(
        of numbers: ClosedRange<UInt64>,
        from start: UInt64
    ) throws(StoreError) -> DepartureAnswer {
        let size = max(1, limits.departuresPerPart)
        var found: [DeparturePart] = []
        var next = start
        while next <= numbers.upperBound, let row = try departure(next) {
            guard found.count < limits.departurePartsPerAnswer else {
                return .parts(found, next: next)
            }
            let block = next / size
            var end = min(numbers.upperBound, block * size + size - 1)
            guard var last = try departure(end) else { break }
            if last.day != row.day {
                let morning = Timestamp(
                    milliseconds: (row.day + 1) * DepartureRow.dayMilliseconds
                )
                guard let later = try firstDeparture(in: next...end, since: morning),
                    let before = try departure(later - 1)
                else { break }
                (end, last) = (later - 1, before)
            }
            found.append(
                DeparturePart(
                    day: row.day,
                    block: block,
                    numbers: next...end,
                    modified: last.time
                )
            )
            next = end + 1
        }
        return .parts(found, next: nil)
    }

    /// The first of these rows that is not older than a time, by halving: times ascend with numbers.
    private func firstDeparture(
        in numbers: ClosedRange<UInt64>,
        since time: Timestamp
    ) throws(StoreError) -> UInt64? {
        var (low, high) = (numbers.lowerBound, numbers.upperBound + 1)
        while low < high {
            let middle = low + (high - low) / 2
            guard let row = try departure(middle), row.time >= time else {
                low = middle + 1
                continue
            }
            high = middle
        }
        return low <= numbers.upperBound ? low : nil
    }

    private func departure(_ number: UInt64) throws(StoreError) -> DepartureRow? {
        try departureStore.departures(from: number, limit: 1).first { $0.number == number }
    }
}
