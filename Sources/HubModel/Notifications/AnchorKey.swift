import HubTags
package import HubVocabulary

/// Under which lists a record is found: a tag, a device, or everyone; and a collapse key.
///
/// Every registration that a record means had, at the record's place, at least one of the record's
/// anchors among its own; which of several is a question of speed only. No registration asks for the
/// list of a collapse key: it leads to what may have replaced a record. Two names may share a key:
/// then a list holds records that do not matter to one of them. Kept on disk.
///
///     everyone: 0        a tag: the lowest bit 0, but not 0
///     a device, a collapse key: the lowest bit 1
///
/// Source: rules A.7.
package struct AnchorKey: Hashable, Comparable, Sendable {
    /// The key as lists and files keep it.
    package let raw: UInt64

    /// The key of a number that was stored.
    package init(raw: UInt64) { self.raw = raw }

    /// The list that every device looks at.
    package static let everyone = AnchorKey(raw: 0)

    /// The list of a tag, in any spelling: FNV-1a over its folded bytes.
    package init(tag: Span<UInt8>) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in tag.indices {
            hash = (hash ^ UInt64(TagRules.fold(tag[index]))) &* 0x0000_0100_0000_01B3
        }
        raw = max(2, Self.mixed(hash) & ~1)
    }

    /// The list of a device.
    package init(device: DeviceID) {
        raw = Self.mixed(Self.mixed(device.high) ^ device.low) | 1
    }

    /// The list of a collapse key, byte for byte.
    package init(collapseKey: [UInt8]) {
        var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
        for byte in collapseKey { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        raw = Self.mixed(hash) | 1
    }

    package static func < (left: AnchorKey, right: AnchorKey) -> Bool { left.raw < right.raw }

    /// The finisher of splitmix64.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var bits = value
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
