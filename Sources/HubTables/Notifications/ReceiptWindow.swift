package import HubModel
import HubVocabulary

/// Which receipts were counted lately: a device says one again when it did not hear that the first
/// was taken.
///
/// Bounded: the oldest are forgotten first. Kept by a 64-bit fingerprint, whose accidental equality
/// costs one count.
package struct ReceiptWindow {
    private let sizeMax: Int
    private var known: Set<UInt64> = []
    private var ring: [UInt64] = []
    private var oldest = 0

    /// Remembers at most so many.
    package init(sizeMax: Int) { self.sizeMax = max(1, sizeMax) }

    /// Whether a receipt is new; it is known from here on.
    package mutating func insert(_ receipt: DeviceReceipt) -> Bool {
        let print = Self.fingerprint(receipt)
        guard known.insert(print).inserted else { return false }
        if ring.count < sizeMax {
            ring.append(print)
        } else {
            known.remove(ring[oldest])
            ring[oldest] = print
            oldest = (oldest + 1) % sizeMax
        }
        return true
    }

    private static func fingerprint(_ receipt: DeviceReceipt) -> UInt64 {
        var value = mixed(receipt.device.high)
        value = mixed(value ^ receipt.device.low)
        value = mixed(value ^ receipt.notification.high)
        value = mixed(value ^ receipt.notification.low)
        return mixed(value ^ UInt64(receipt.event) << 16 ^ UInt64(receipt.slot))
    }

    private static func mixed(_ word: UInt64) -> UInt64 {
        var random = SeededRandom(seed: word)
        return random.next()
    }
}
