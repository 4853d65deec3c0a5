package import HubParcel
import Synchronization

/// One encoding of a notification for all devices that get the same bytes.
package final class Parcel: Sendable {
    /// Header, collapse key, options and payload, as Protocol/parcels.md lays them out.
    package let bytes: [UInt8]
    /// When this variant expires; never later than the send says.
    package let expires: Timestamp
    /// Rendered to time to live 0, or sent so: live sessions only.
    package let isTransient: Bool

    /// The sender's urgency, as the parcel says it.
    package var urgency: UInt8 { bytes[3] }

    /// Wraps finished bytes.
    package init(bytes: [UInt8], expires: Timestamp, isTransient: Bool) {
        self.bytes = bytes
        self.expires = expires
        self.isTransient = isTransient
    }
}

/// Which encoding of a notification a registration gets.
package struct ParcelVariant: Hashable, Sendable {
    /// The shared template's key; 0 for native.
    package var template: UInt32
    /// The registration whose own push variables shape the bytes; 0 when it has none.
    package var registration: UInt32
    /// The platform: part of the parcel's options.
    package var platform: Platform
    /// How the device can take the payload.
    package var codec: ParcelCodec

    /// Names a variant.
    package init(template: UInt32, registration: UInt32, platform: Platform, codec: ParcelCodec) {
        self.template = template
        self.registration = registration
        self.platform = platform
        self.codec = codec
    }
}

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

    /// What an entry takes besides its parcel's bytes.
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
