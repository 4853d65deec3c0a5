import Crypto
import HubTags
import HubTemplates
import HubVocabulary
import HubWire

/// A number that device and hub compare; when it is equal, neither tells the other its
/// registrations.
///
/// The first eight bytes, big-endian, of SHA-256 over the device's own slots, ascending:
///
///     slot: u16 | platform: u8 | kind: u8 | tag count: u16 | tags, folded and sorted by bytes
///     for a template: name | body | expiry | header count: u16 | (name | value)*
///
/// each text behind its length as u32, all big-endian. Opaque to devices.
package enum DeviceETag {
    /// The tag of these registrations, which must be ascending by slot; 0 for none.
    package static func value(of registrations: [Registration]) -> UInt64 {
        guard !registrations.isEmpty else { return 0 }
        var bytes: [UInt8] = []
        for registration in registrations { append(registration, to: &bytes) }
        let value = UInt64(bigEndian: Array(SHA256.hash(data: bytes)))
        return max(1, value)
    }

    /// The tag of the own slots of a device that has all these registrations; 0 when it has none.
    package static func ofOwn(_ all: [Registration]) -> UInt64 {
        value(of: all.filter(\.isDevicesOwn))
    }

    private static func append(_ registration: Registration, to bytes: inout [UInt8]) {
        let content = registration.content
        bytes.appendBigEndian(registration.target?.slot ?? 0)
        bytes.append(content.platform.rawValue)
        bytes.append(content.kind.rawValue)
        var tags: [[UInt8]] = []
        for index in 0..<content.tags.count {
            tags.append(ASCII.lower(content.tags.bytes[content.tags.range(at: index)]))
        }
        tags.sort { $0.lexicographicallyPrecedes($1) }
        bytes.appendBigEndian(UInt16(clamping: tags.count))
        for tag in tags { append(tag, to: &bytes) }
        guard let template = content.template else { return }
        append(template.name, to: &bytes)
        append(template.body, to: &bytes)
        append(template.expiry, to: &bytes)
        bytes.appendBigEndian(UInt16(clamping: template.headers.count))
        for header in template.headers {
            append(header.name, to: &bytes)
            append(header.value, to: &bytes)
        }
    }

    private static func append(_ text: [UInt8], to bytes: inout [UInt8]) {
        bytes.appendBigEndian(UInt32(text.count))
        bytes += text
    }
}
