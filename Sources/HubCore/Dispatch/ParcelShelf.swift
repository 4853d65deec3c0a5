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
    private let made = Mutex<[ParcelVariant: Parcel?]>([:])

    /// An empty shelf.
    package init() {}

    /// The parcel of a variant; `make` runs at most once per variant on all shards together.
    ///
    /// A nil result (the rendered payload is too large) is remembered too.
    package func parcel(_ variant: ParcelVariant, make: () -> Parcel?) -> Parcel? {
        made.withLock { shelf in
            if let known = shelf[variant] { return known }
            let parcel = make()
            shelf[variant] = .some(parcel)
            return parcel
        }
    }
}
