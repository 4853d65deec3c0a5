import HubDirectory
import HubModel
import HubTags
import HubVocabulary

extension RegistrationTable {
    /// How many registrations a record matches, by platform; beyond `matchSampleMax` of them only
    /// some are looked at and counted for the others.
    ///
    /// Who has other tags since is not found; who got them since is left out. `device` says whose
    /// handle a direct send names.
    func estimate(
        of record: NotificationRecord,
        limits: CoreLimits,
        device: ([UInt8]) -> DeviceID?
    ) throws(StoreError) -> [MatchEstimate] {
        var estimates = [MatchEstimate](repeating: MatchEstimate(), count: Platform.allCases.count)
        switch record.draft.target {
        case .handles(let handles):
            guard case .native(let platform) = record.draft.format else { break }
            for handle in handles {
                if device(handle) == nil {
                    estimates[Int(platform.rawValue)].unknownHandle += 1
                } else {
                    estimates[Int(platform.rawValue)].reachable += 1
                }
            }
        case .slots(let targets):
            for target in targets {
                guard let number = number(of: target),
                    let found = facts(of: number)
                else { continue }
                estimates[Int(found.platform.rawValue)].reachable += 1
            }
        case .broadcast, .tags:
            let numbers = numbers(of: record.draft.target)
            let step = Self.step(numbers.count, sampleMax: limits.inspection.matchSampleMax)
            var unclear: [RegistrationNumber] = []
            for index in stride(from: 0, to: numbers.count, by: step) {
                guard let found = facts(of: numbers[index]),
                    found.isMeant(by: record.draft.format)
                else { continue }
                if record.sequence < found.tagsSince {
                    unclear.append(numbers[index])
                } else {
                    estimates.count(found, weight: step)
                }
            }
            // What held at the time of the record is in the store alone.
            let readStep = Self.step(unclear.count, sampleMax: limits.inspection.matchReadsMax)
            let some = stride(from: 0, to: unclear.count, by: readStep).map { unclear[$0] }
            for registration in try registrations(some, remembers: false)
            where record.matches(registration) {
                estimates.count(RegistrationFacts(registration), weight: step * readStep)
            }
        }
        return estimates
    }

    /// Every how many of `count` make a sample.
    private static func step(_ count: Int, sampleMax: Int) -> Int {
        let most = max(1, sampleMax)
        return max(1, (count + most - 1) / most)
    }
}

extension [MatchEstimate] {
    /// Counts a registration that stands for so many.
    fileprivate mutating func count(_ found: RegistrationFacts, weight: Int) {
        let platform = Int(found.platform.rawValue)
        if found.target == nil {
            self[platform].unknownHandle += UInt64(weight)
        } else if found.isUndeliverable {
            self[platform].templateError += UInt64(weight)
        } else {
            self[platform].reachable += UInt64(weight)
        }
    }
}
