import HubModel
import HubTables
import HubTags
import HubVocabulary

/// Registrations that are being loaded and are not yet in the indexes.
///
/// They enter the indexes many together, because one by one each would wait for memory.
struct RegistrationLoading: ~Copyable {
    /// Registrations that enter the indexes together.
    private static let countMax = 128

    private(set) var ids: [NumberIndex.Entry] = []
    private(set) var handles: [NumberIndex.Entry] = []
    private(set) var devices: [NumberIndex.Entry] = []
    var tags = TagLoading()

    /// Whether it is time to enter them.
    var isFull: Bool { ids.count >= Self.countMax }

    /// Adds a registration; `bytes` are those of the outline.
    mutating func add(
        _ outline: RegistrationOutline,
        _ bytes: Span<UInt8>,
        hash: TagHash,
        tags index: inout TagIndex
    ) {
        let number = outline.number
        ids.append((number, hash.exactValue(of: bytes.extracting(outline.id))))
        handles.append((number, hash.value(of: bytes.extracting(outline.handle))))
        if let device = outline.target?.device {
            devices.append((number, hash.value(high: device.high, low: device.low)))
        }
        add(outline.ownTags, of: bytes)
        add(outline.grantedTags, of: bytes)
        tags.end(SlotIndex(raw: number.raw), in: &index)
    }

    /// Forgets what has entered the indexes of numbers.
    mutating func removeAll() {
        ids.removeAll(keepingCapacity: true)
        handles.removeAll(keepingCapacity: true)
        devices.removeAll(keepingCapacity: true)
    }

    private mutating func add(_ range: Range<Int>, of bytes: Span<UInt8>) {
        var position = range.lowerBound
        while position < range.upperBound {
            let tag = RegistrationOutline.tag(at: position, of: bytes)
            tags.add(bytes.extracting(tag))
            position = tag.upperBound
        }
    }
}
