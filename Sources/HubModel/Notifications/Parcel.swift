package import HubVocabulary

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
