import Crypto
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
        var text = Array("relay".utf8)
        text.appendBigEndian(UInt16(hub.description.utf8.count))
        text += hub.description.utf8
        text.appendBigEndian(place.epoch)
        text.appendBigEndian(place.sequence)
        text.appendBigEndian(registration.raw)
        var bytes = Array(SHA256.hash(data: text).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = HexText.lowercase(bytes)
        var groups: [Substring] = []
        var rest = digits[...]
        for count in [8, 4, 4, 4, 12] {
            groups.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return groups.joined(separator: "-")
    }
}
