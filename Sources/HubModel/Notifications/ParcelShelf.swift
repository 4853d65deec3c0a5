import HubParcel
import Synchronization

/// The parcels of one notification, each made once by whichever shard needs it first.
///
/// The only lock of the core: taken once per variant, shard and notification, never per delivery.
package final class ParcelShelf: Sendable {
    /// Bytes that a new notification's shelf holds at most; what does not fit is made again by
    /// each shard that needs it.
    package static let bytesMax = 1 << 20

    private struct Shelf {
        var made: [ParcelVariant: Parcel?] = [:]
        var bytes = 0
        var bytesMax = ParcelShelf.bytesMax
    }

    /// Bytes that an entry takes besides its parcel's.
    private static let entryBytes = 128

    private let shelf = Mutex(Shelf())

    /// An empty shelf.
    package init() {}

    /// The parcel of a variant; `make` runs at most once per variant on all shards together,
    /// as long as the shelf has room.
    ///
    /// A nil result (the rendered payload is too large) is remembered too.
    package func parcel(_ variant: ParcelVariant, make: () -> Parcel?) -> Parcel? {
        shelf.withLock { shelf in
            if let known = shelf.made[variant] { return known }
            let parcel = make()
            let size = Self.entryBytes + (parcel?.bytes.count ?? 0)
            if shelf.bytes + size <= shelf.bytesMax {
                shelf.made[variant] = .some(parcel)
                shelf.bytes += size
            }
            return parcel
        }
    }

    /// Holds less from now on, because the notification is no longer among the newest.
    ///
    /// How many variants it has is up to the devices. Parcels in use stay with their users.
    package func shrink(toBytes bytesMax: Int) {
        shelf.withLock { shelf in
            shelf.bytesMax = bytesMax
            guard shelf.bytes > bytesMax else { return }
            shelf.made = [:]
            shelf.bytes = 0
        }
    }
}
