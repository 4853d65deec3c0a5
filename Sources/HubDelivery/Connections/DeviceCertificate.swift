package import HubVocabulary

/// Whether a client certificate says who the device is.
package enum DeviceCertificate: Equatable, Sendable {
    /// The device showed none.
    case none
    /// The hub does not trust its issuer, or it is not valid now.
    case untrusted
    /// It proves this identity.
    case proves(DeviceID)
}
