package import HubParcel
package import HubVocabulary

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
