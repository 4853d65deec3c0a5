import Crypto

/// The name under which a sender reaches a device; it checks itself, and no sender can guess it.
///
///     | device id: 16 | HMAC-SHA256(hub secret, "handle" text of HubSecret): first 16 |
///
/// Written as 64 hex digits, upper case. It plays the Apple token, the GCM, FCM, ADM or Xiaomi
/// registration id, Baidu's channel id, and the last path component of a WNS or MPNS channel URI
/// or a browser endpoint. A capability: never logged. Source: rules C.1.
package struct PushHandle: Hashable, Sendable {
    /// Bytes of a handle, half the digits of its text.
    package static let byteCount = 32
    private static let label = "handle"

    /// The device it leads to.
    package let device: DeviceID
    /// The 32 bytes, as WELCOME carries them.
    package let bytes: [UInt8]

    /// The handle of a device in one of its key generations.
    package init(device: DeviceID, hub: HubName, secret: HubSecret, generation: UInt32) {
        self.device = device
        let text = HubSecret.text(
            label: Self.label,
            hub: hub,
            device: device,
            generation: generation
        )
        let code = secret.code(of: text)
        var bytes: [UInt8] = []
        bytes.appendBigEndian(device.high)
        bytes.appendBigEndian(device.low)
        bytes += code.prefix(16)
        self.bytes = bytes
    }

    /// 64 upper-case hex digits.
    package var text: [UInt8] { HexText.encode(bytes) }

    /// Returns the device of a handle's 32 bytes; nil when this hub did not make it.
    ///
    /// `generation` gives the present key generation of a device; a handle of an older one leads
    /// nowhere. Compares in constant time.
    package static func verify(
        bytes: [UInt8],
        hub: HubName,
        secret: HubSecret,
        generation: (DeviceID) -> UInt32
    ) -> DeviceID? {
        guard bytes.count == byteCount else { return nil }
        let device = DeviceID(
            high: UInt64(bigEndian: bytes),
            low: UInt64(bigEndian: bytes.dropFirst(8))
        )
        guard device != .none else { return nil }
        let text = HubSecret.text(
            label: label,
            hub: hub,
            device: device,
            generation: generation(device)
        )
        // The code is looked at before the call returns, and as a whole.
        let isMade = unsafe secret.code(of: text).withUnsafeBytes { code in
            var difference: UInt8 = 0
            for index in 16..<byteCount {
                difference |= unsafe bytes[index] ^ code[index - 16]
            }
            return difference == 0
        }
        return isMade ? device : nil
    }

    /// The beginning of the text of a handle's code: the device id and the generation follow.
    package static func beginning(of hub: HubName) -> [UInt8] {
        let text = HubSecret.text(label: label, hub: hub, device: .none, generation: 0)
        return Array(text.dropLast(20))
    }

    /// The device that a handle claims to lead to; nothing is proven by that.
    package static func claimedDevice(in handle: [UInt8], platform: Platform) -> DeviceID? {
        let digits = part(of: handle, platform)
        return digits.count == byteCount * 2 ? device(ofDigits: digits.span) : nil
    }

    /// The device whose id 64 hex digits begin with; nil when one of them is none.
    ///
    /// Needs no memory: each handle of a direct send is looked at by every shard.
    private static func device(ofDigits digits: Span<UInt8>) -> DeviceID? {
        var device = DeviceID.none
        var all: UInt8 = 0
        for index in 0..<16 {
            let (high, low) = (HexText.value(digits[index]), HexText.value(digits[index + 16]))
            all |= high | low
            device.high = device.high << 4 | UInt64(high)
            device.low = device.low << 4 | UInt64(low)
        }
        for index in 32..<digits.count { all |= HexText.value(digits[index]) }
        return all < 16 ? device : nil
    }

    /// The 64 hex digits within a platform's form of the handle, upper case; nil when there are
    /// none, as in handles of foreign services.
    package static func digits(in handle: [UInt8], platform: Platform) -> [UInt8]? {
        bytes(in: handle, platform: platform).map { HexText.encode($0) }
    }

    /// The 32 bytes within a platform's form of the handle; nil when there are none, as in handles
    /// of foreign services.
    package static func bytes(in handle: [UInt8], platform: Platform) -> [UInt8]? {
        let part = part(of: handle, platform)
        guard part.count == byteCount * 2 else { return nil }
        return HexText.decode(part.span)
    }

    private static func part(of handle: [UInt8], _ platform: Platform) -> ArraySlice<UInt8> {
        switch platform {
        case .apple, .gcm, .fcmV1, .adm, .xiaomi: handle[...]
        case .windows, .windowsPhone, .browser: lastPathComponent(handle)
        case .baidu: handle.split(separator: UInt8(ascii: "-")).last ?? []
        }
    }

    /// Returns the device that a registration's handle leads to; nil when this hub did not make it.
    package static func device(
        of handle: [UInt8],
        platform: Platform,
        hub: HubName,
        secret: HubSecret,
        generation: (DeviceID) -> UInt32
    ) -> DeviceID? {
        guard let bytes = bytes(in: handle, platform: platform) else { return nil }
        return verify(bytes: bytes, hub: hub, secret: secret, generation: generation)
    }

    private static func lastPathComponent(_ address: [UInt8]) -> ArraySlice<UInt8> {
        let path = address.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        return path.split(separator: UInt8(ascii: "/")).last ?? []
    }
}
