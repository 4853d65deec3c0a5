import HubModel
import HubVocabulary

/// The facts of all registrations by number: 27 bytes each, and eight more once any expires.
struct RegistrationColumns: ~Copyable {
    private static let platformBits: UInt8 = 0x0F
    private static let isLive: UInt8 = 0x10
    private static let hasTarget: UInt8 = 0x20
    private static let isTemplate: UInt8 = 0x40
    private static let isUndeliverable: UInt8 = 0x80
    /// Numbers that are looked at or passed over together.
    static let blockNumbers = 1_024

    private var flags: [UInt8] = []
    private var slots: [UInt16] = []
    private var devices: [DeviceID] = []
    private var tagsSince: [UInt64] = []
    /// The highest ever, of each block of numbers and of all.
    private var tagsSinceMaxima: [UInt64] = []
    private var tagsSinceMax: UInt64 = 0
    /// In milliseconds, 0 for never; ends with the last registration that expires.
    private var expires: [UInt64] = []

    /// Whether a number's registration lives.
    func isLive(_ number: RegistrationNumber) -> Bool {
        Int(number.raw) < flags.count && flags[Int(number.raw)] & Self.isLive != 0
    }

    /// The facts of a live registration.
    subscript(number: RegistrationNumber) -> RegistrationFacts? {
        guard isLive(number) else { return nil }
        let index = Int(number.raw)
        guard let platform = Platform(rawValue: flags[index] & Self.platformBits) else {
            preconditionFailure("registration \(index) was put with a platform")
        }
        return RegistrationFacts(
            platform: platform,
            isTemplate: flags[index] & Self.isTemplate != 0,
            isUndeliverable: flags[index] & Self.isUndeliverable != 0,
            target: target(index),
            tagsSince: tagsSince[index],
            expires: expires(number)
        )
    }

    /// The first live registrations above a number whose present tags did not hold at a place and
    /// whose facts are asked for, ascending; takes the numbers that it looks at from `looks`.
    ///
    /// Blocks without newer tags are passed over, which is nearly all of them.
    func numbers(
        taggedBehind sequence: UInt64,
        above number: UInt32?,
        limit: Int,
        looks: inout Int,
        where isWanted: (RegistrationFacts) -> Bool
    ) -> [RegistrationNumber] {
        guard tagsSinceMax > sequence else { return [] }
        var found: [RegistrationNumber] = []
        var index = number.map { Int($0) + 1 } ?? 0
        while index < tagsSince.count, found.count < limit {
            let block = index / Self.blockNumbers
            let end = min((block + 1) * Self.blockNumbers, tagsSince.count)
            defer { index = end }
            guard tagsSinceMaxima[block] > sequence else { continue }
            looks -= end - index
            for index in index..<end where tagsSince[index] > sequence {
                let number = RegistrationNumber(UInt32(index))
                guard let facts = self[number], isWanted(facts) else { continue }
                found.append(number)
                if found.count == limit { break }
            }
        }
        return found
    }

    /// Live registrations that lead to some of all devices, ascending; linear.
    ///
    /// `places` tells where those are, ascending, among the devices; `.none` is no device.
    func numbers(leadingTo places: ([DeviceID]) -> [Int]) -> [RegistrationNumber] {
        places(devices).compactMap { index in
            let number = RegistrationNumber(UInt32(index))
            return target(of: number) == nil ? nil : number
        }
    }

    /// Live registrations whose template does not compile, ascending; linear.
    var undeliverable: [RegistrationNumber] {
        let both = Self.isLive | Self.isUndeliverable
        var found: [RegistrationNumber] = []
        for index in flags.indices where flags[index] & both == both {
            found.append(RegistrationNumber(UInt32(index)))
        }
        return found
    }

    /// Where a live registration leads.
    func target(of number: RegistrationNumber) -> RegistrationTarget? {
        isLive(number) ? target(Int(number.raw)) : nil
    }

    /// When a live registration lapses.
    func expires(_ number: RegistrationNumber) -> Timestamp? {
        let index = Int(number.raw)
        guard isLive(number), index < expires.count, expires[index] > 0 else { return nil }
        return Timestamp(milliseconds: expires[index])
    }

    /// Notes a live registration.
    mutating func put(_ facts: RegistrationFacts, at number: RegistrationNumber) {
        let index = Int(number.raw)
        reserve(index)
        var flag = facts.platform.rawValue | Self.isLive
        if facts.target != nil { flag |= Self.hasTarget }
        if facts.isTemplate { flag |= Self.isTemplate }
        if facts.isUndeliverable { flag |= Self.isUndeliverable }
        flags[index] = flag
        slots[index] = facts.target?.slot ?? 0
        devices[index] = facts.target?.device ?? .none
        tagsSince[index] = facts.tagsSince
        let block = index / Self.blockNumbers
        tagsSinceMaxima[block] = max(tagsSinceMaxima[block], facts.tagsSince)
        tagsSinceMax = max(tagsSinceMax, facts.tagsSince)
        let milliseconds = facts.expires.map { max(1, $0.milliseconds) } ?? 0
        if index < expires.count {
            expires[index] = milliseconds
        } else if milliseconds > 0 {
            expires.append(contentsOf: repeatElement(0, count: index - expires.count))
            expires.append(milliseconds)
        }
    }

    /// Notes that a registration is gone.
    mutating func remove(_ number: RegistrationNumber) { flags[Int(number.raw)] = 0 }

    private func target(_ index: Int) -> RegistrationTarget? {
        guard flags[index] & Self.hasTarget != 0 else { return nil }
        return RegistrationTarget(device: devices[index], slot: slots[index])
    }

    private mutating func reserve(_ index: Int) {
        flags.extendSparingly(to: index + 1, with: 0)
        slots.extendSparingly(to: index + 1, with: 0)
        devices.extendSparingly(to: index + 1, with: .none)
        tagsSince.extendSparingly(to: index + 1, with: 0)
        tagsSinceMaxima.extendSparingly(to: index / Self.blockNumbers + 1, with: 0)
    }
}
