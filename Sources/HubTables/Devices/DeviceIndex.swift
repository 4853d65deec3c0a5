package import HubVocabulary

/// Where in a table a device is: open addressing over places, four bytes an entry.
///
/// The devices themselves are in the table's rows, which come with each call. The hash is keyed, so
/// that no client can choose devices that collide.
package struct DeviceIndex {
    /// By hash: place + 1, or 0 where nothing is.
    ///
    /// At most three quarters in use, and at least half once it has grown.
    private var buckets = [UInt32](repeating: 0, count: 16)
    private let seed: UInt64
    /// How many devices are in the index.
    package private(set) var count = 0

    /// An empty index.
    package init(seed: UInt64) { self.seed = seed }

    /// The place of a device; nil when it is not in the index.
    package func place(of device: DeviceID, in rows: [some DeviceRow]) -> Int? {
        bucket(of: device, in: rows).map { Int(buckets[$0]) - 1 }
    }

    /// The places in `devices` of those that are not in the index, ascending; `.none` is no device.
    package func placesMissing(_ devices: [DeviceID], in rows: [some DeviceRow]) -> [Int] {
        devices.indices.filter { devices[$0] != .none && bucket(of: devices[$0], in: rows) == nil }
    }

    /// Makes room for so many devices in all, so that it does not grow on the way there.
    package mutating func reserve(_ total: Int, in rows: [some DeviceRow]) {
        while total * 4 > buckets.count * 3 { grow(in: rows) }
    }

    /// Enters a device, which must not be in the index; the table has it in this place already.
    package mutating func insert(_ place: Int, in rows: [some DeviceRow]) {
        count += 1
        if count * 4 > buckets.count * 3 { grow(in: rows) }
        enter(place, in: rows)
    }

    /// Lets a device, which must be in the index, lead to another place.
    package mutating func move(_ device: DeviceID, to place: Int, in rows: [some DeviceRow]) {
        guard let bucket = bucket(of: device, in: rows) else {
            preconditionFailure("only a device that is in the index moves")
        }
        buckets[bucket] = UInt32(place + 1)
    }

    /// Takes a device out; the place where it was, nil when it was not in the index.
    @discardableResult
    package mutating func remove(_ device: DeviceID, in rows: [some DeviceRow]) -> Int? {
        guard let bucket = bucket(of: device, in: rows) else { return nil }
        let place = Int(buckets[bucket]) - 1
        close(bucket, in: rows)
        count -= 1
        return place
    }

    /// The places in use, in no telling order.
    package var places: [Int] { buckets.compactMap { $0 == 0 ? nil : Int($0) - 1 } }

    private func home(of device: DeviceID) -> Int {
        var hash = (device.low ^ seed) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash >> 32
        hash = (hash ^ device.high) &* 0xD6E8_FEB8_6659_FD93
        // The upper half as a share of all buckets.
        return Int(truncatingIfNeeded: ((hash >> 32) &* UInt64(buckets.count)) >> 32)
    }

    private func next(_ bucket: Int) -> Int { bucket + 1 == buckets.count ? 0 : bucket + 1 }

    /// Steps from one bucket to another.
    private func steps(from start: Int, to end: Int) -> Int {
        end >= start ? end - start : end - start + buckets.count
    }

    private func bucket(of device: DeviceID, in rows: [some DeviceRow]) -> Int? {
        var bucket = home(of: device)
        while buckets[bucket] != 0 {
            if rows[Int(buckets[bucket]) - 1].device == device { return bucket }
            bucket = next(bucket)
        }
        return nil
    }

    private mutating func enter(_ place: Int, in rows: [some DeviceRow]) {
        var bucket = home(of: rows[place].device)
        while buckets[bucket] != 0 { bucket = next(bucket) }
        buckets[bucket] = UInt32(place + 1)
    }

    /// Empties a bucket and moves those behind it that would not be found any more.
    private mutating func close(_ bucket: Int, in rows: [some DeviceRow]) {
        var gap = bucket
        var other = next(bucket)
        while buckets[other] != 0 {
            let home = home(of: rows[Int(buckets[other]) - 1].device)
            if steps(from: home, to: other) >= steps(from: gap, to: other) {
                buckets[gap] = buckets[other]
                gap = other
            }
            other = next(other)
        }
        buckets[gap] = 0
    }

    /// By half: twice as many would leave most of them empty most of the time.
    private mutating func grow(in rows: [some DeviceRow]) {
        let old = buckets
        buckets = [UInt32](repeating: 0, count: old.count + old.count / 2)
        for bucket in old where bucket != 0 { enter(Int(bucket) - 1, in: rows) }
    }
}
