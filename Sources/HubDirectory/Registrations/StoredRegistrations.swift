import HubModel
import HubTables
import HubTags
import HubTemplates
import HubVocabulary

/// Registrations as the store has them, each with its template; the ones read last are remembered.
///
/// They are found by number alone, each in a place of its own. So the memory needs no order of use
/// and costs no more than its limits say.
final class StoredRegistrations {
    /// nil before the hub has a store.
    private let storage: (any HubStorage)?
    /// The templates of all registrations, each compiled once.
    let templates = TemplatePool()
    private var remembered: [Registration?]
    private let bytesMax: Int

    /// Reads nothing and remembers nothing.
    init() {
        storage = nil
        remembered = []
        bytesMax = 0
    }

    init(_ storage: any HubStorage, limits: CoreLimits) {
        self.storage = storage
        remembered = Array(repeating: nil, count: limits.registrations.registrationsRememberedMax)
        bytesMax = limits.registrations.registrationRememberedBytesMax
    }

    /// A registration that is remembered.
    func recall(_ number: RegistrationNumber) -> Registration? {
        guard let place = place(number), let found = remembered[place], found.number == number
        else { return nil }
        return found
    }

    /// Registrations that live in the store, in this order.
    ///
    /// - Throws: `.corrupted` when one of them is not there, and what the store throws.
    func read(
        _ numbers: [RegistrationNumber],
        remembers: Bool
    ) throws(StoreError) -> [Registration] {
        guard !numbers.isEmpty else { return [] }
        var found = try present().registrations(numbers)
        guard found.count == numbers.count else {
            let missing = Set(numbers).subtracting(found.map(\.number)).min()
            throw .corrupted("registration \(missing?.raw ?? 0) is missing")
        }
        for index in found.indices {
            compile(&found[index])
            if remembers { remember(found[index]) }
        }
        return found
    }

    /// Remembers what the store has now.
    func remember(_ registration: Registration) {
        guard let place = place(registration.number) else { return }
        remembered[place] = registration.bytes <= bytesMax ? registration : nil
    }

    /// Forgets what the store has no more.
    func forget(_ number: RegistrationNumber) {
        guard recall(number) != nil, let place = place(number) else { return }
        remembered[place] = nil
    }

    /// Whether a deleted registration had an id.
    func wasDeleted(_ id: [UInt8]) throws(StoreError) -> Bool {
        try present().wasRegistrationDeleted(id: id)
    }

    /// The slot that the hub gave a device last, of those whose registration is deleted.
    func lastDeletedPlace(of device: DeviceID) throws(StoreError) -> DevicePlaces.Place? {
        let found = try present().lastDeletedSlot(of: device, from: SlotNumber.hubFirst)
        return found.map { DevicePlaces.Place(slot: $0.slot, number: $0.number) }
    }

    private func present() throws(StoreError) -> any HubStorage {
        guard let storage else { throw .unavailable(reason: "the hub has no store yet") }
        return storage
    }

    /// Gives a registration its template, unless that does not compile.
    func compile(_ registration: inout Registration) {
        guard let definition = registration.content.template else { return }
        registration.template = templates.stored(
            definition,
            platform: registration.content.platform
        )
    }

    private func place(_ number: RegistrationNumber) -> Int? {
        remembered.isEmpty ? nil : Int(number.raw) % remembered.count
    }
}

extension Registration {
    /// Bytes that it takes in memory, about.
    fileprivate var bytes: Int {
        var sum = id.count + content.handle.count + content.secondaryTileName.count
        for tags in [content.tags, granted] + formerTags.map(\.tags) {
            sum += tags.bytes.count + tags.count * 16
        }
        if let template = content.template {
            sum += template.name.count + template.body.count + template.expiry.count
            sum += template.priority.count + Self.bytes(template.headers)
        }
        return sum + Self.bytes(content.pushVariables) + Self.bytes(content.platformFields)
    }

    private static func bytes(_ values: [NamedValue]) -> Int {
        values.reduce(0) { $0 + $1.name.count + $1.value.count }
    }
}
