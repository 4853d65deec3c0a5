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
        // The buffer is copied before the call returns, so nothing outlives it.
        var bytes = unsafe SHA256.hash(data: text).withUnsafeBytes { buffer in
            unsafe Array(buffer.prefix(16))
        }
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        var digits: [UInt8] = []
        digits.reserveCapacity(36)
        for (index, byte) in bytes.enumerated() {
            if index == 4 || index == 6 || index == 8 || index == 10 {
                digits.append(UInt8(ascii: "-"))
            }
            digits.append(HexText.lowerDigit(byte >> 4))
            digits.append(HexText.lowerDigit(byte & 0x0F))
        }
        return String(decoding: digits, as: UTF8.self)
    }
}
