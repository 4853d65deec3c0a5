import HubModel
import HubParcel
import HubVocabulary

/// One slot of the index: everything fan-out needs without the session.
struct IndexedSlot {
    var session: SessionIndex
    var slot: UInt16
    var platform: Platform
    var codec: ParcelCodec
    /// 0 for native.
    var template: UInt32
    /// `SessionRegistration.variables`.
    var variables: UInt32
}

extension IndexedSlot {
    /// The parcel that its registration gets.
    var variant: ParcelVariant {
        ParcelVariant(
            template: template,
            registration: variables,
            platform: platform,
            codec: codec
        )
    }

    /// Whether two registrations get the same parcel; equal neighbours skip the lookup.
    func isAlike(_ other: IndexedSlot) -> Bool {
        template == other.template && variables == other.variables && platform == other.platform
            && codec == other.codec
    }
}
