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
        var bytes = KeyedCode.digest(of: text)
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        var digits = [UInt8](repeating: UInt8(ascii: "-"), count: 36)
        var place = 0
        for index in 0..<16 {
            if index == 4 || index == 6 || index == 8 || index == 10 { place += 1 }
            digits[place] = HexText.lowerDigit(bytes[index] >> 4)
            digits[place + 1] = HexText.lowerDigit(bytes[index] & 0x0F)
            place += 2
        }
        return String(decoding: digits, as: UTF8.self)
    }
}
