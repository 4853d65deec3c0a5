package import HubVocabulary

/// Which notification for which registration a request is about.
///
/// The same after a crash, so that a trace shows a repeat as one. Services do not recognise it.
package struct RelayIdentifier: Hashable, Sendable {
    /// The hub.
    package var hub: HubName
    /// The record.
    package var place: LogPlace
    /// The registration.
    package var registration: RegistrationNumber

    /// Makes an identifier of its parts.
    package init(hub: HubName, place: LogPlace, registration: RegistrationNumber) {
        self.hub = hub
        self.place = place
        self.registration = registration
    }

    /// A UUID of version 8 that is computed from the parts.
    package var uuid: String {
        var text: [UInt8] = []
        text.reserveCapacity(96)
        text += "relay".utf8
        text.appendBigEndian(UInt16(hub.description.utf8.count))
        text += hub.description.utf8
        text.appendBigEndian(place.epoch)
        text.appendBigEndian(place.sequence)
        text.appendBigEndian(registration.raw)
        return DigestIdentifier.text(of: text)
    }
}
