package import HubModel
package import HubVocabulary
import Synchronization

// Live and deleted registrations of a memory store.
extension MemoryStore {
    /// Calls `body` with the bytes of every live registration, ascending by number.
    package func forEachStoredRegistration(
        _ body: (Span<UInt8>) throws(RecordProblem) -> Void
    ) throws(StoreError) {
        let all = disk.contents.withLock { $0.registrations }
        for (number, registration) in all.sorted(by: { $0.key < $1.key }) {
            let bytes = RegistrationCodec.encode(registration)
            do throws(RecordProblem) {
                try body(bytes.span)
            } catch {
                throw .corrupted("registration \(number.raw)")
            }
        }
    }

    /// The live registrations with these numbers, in this order; those that do not live are left out.
    package func registrations(
        _ numbers: [RegistrationNumber]
    ) throws(StoreError) -> [Registration] {
        if let fault = disk.faults.reads { throw fault }
        return disk.contents.withLock { contents in
            contents.reads.registrations += numbers.count
            return numbers.compactMap { number in
                var stored = contents.registrations[number]
                stored?.template = nil
                return stored
            }
        }
    }

    /// Whether a deleted registration had an external id.
    package func wasRegistrationDeleted(id: [UInt8]) throws(StoreError) -> Bool {
        if let fault = disk.faults.reads { throw fault }
        return disk.contents.withLock { $0.deleted.values.contains { $0.registration.id == id } }
    }

    /// Number and slot of a device's newest deleted registration in a slot from `first` on.
    package func lastDeletedSlot(
        of device: DeviceID,
        from first: UInt16
    ) throws(StoreError) -> (number: RegistrationNumber, slot: UInt16)? {
        if let fault = disk.faults.reads { throw fault }
        let all = deleted { $0.target.map { $0.device == device && $0.slot >= first } ?? false }
        return all.first.flatMap { found in found.target.map { (found.number, $0.slot) } }
    }

    /// Tombstones of an external id, the newest first.
    package func deletedRegistrations(id: [UInt8]) throws(StoreError) -> [Registration] {
        deleted { $0.id == id }
    }

    /// Tombstones that led to a device, the newest first.
    package func deletedRegistrations(of device: DeviceID) throws(StoreError) -> [Registration] {
        deleted { $0.target?.device == device }
    }

    /// Tombstones of what went behind a place in the log, the oldest first.
    package func deletedRegistrations(
        since sequence: UInt64,
        limit: Int
    ) throws(StoreError) -> [Registration] {
        let found = deleted { $0.tagsSince.sequence > sequence }.sorted {
            ($0.tagsSince.sequence, $0.number) < ($1.tagsSince.sequence, $1.number)
        }
        return Array(found.prefix(limit))
    }

    private func deleted(_ isMeant: (Registration) -> Bool) -> [Registration] {
        let all = disk.contents.withLock { contents in
            contents.deleted.values.map(\.registration).filter(isMeant)
        }
        return all.sorted { $0.number > $1.number }.map { registration in
            var stored = registration
            stored.template = nil
            return stored
        }
    }
}
