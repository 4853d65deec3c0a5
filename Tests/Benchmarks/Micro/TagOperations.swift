import Benchmark
import HubTags

/// Finding tags and audiences in an index of 100,000 registrations with some ten tags each.
func tagOperations() -> [Operation] {
    let crowd = SharedCrowd()
    return [
        lookup("tag lookup", crowd) { random in Crowd.topic(random.rank()) },
        lookup("tag lookup, one device's own", crowd) { random in
            Crowd.device(Int.random(in: 0..<100_000, using: &random))
        },
        selection("select, dense", "(topic:1 || topic:2) && topic:3 && !topic:4", crowd),
        selection("select, sparse", "(topic:1000 || topic:5000) && topic:1 && !topic:2", crowd),
        selection("select, one device", "device:4711", crowd),
        Operation("tags of a device replaced") {
            let crowd = crowd.made
            var random = Numbers(seed: 3)
            return { count in
                for _ in 0..<count {
                    let slot = SlotIndex(raw: UInt32.random(in: 0..<1_000, using: &random))
                    crowd.enter(slot, &random)
                }
            }
        },
    ]
}

/// 4,096 tags in turn, found where they lie, as those of a received frame are.
private func lookup(
    _ name: String,
    _ crowd: SharedCrowd,
    _ tag: @escaping (inout Numbers) -> [UInt8]
) -> Operation {
    Operation(name) {
        let crowd = crowd.made
        var random = Numbers(seed: 2)
        var bytes: [UInt8] = []
        var ends = [0]
        for _ in 0..<4_096 {
            bytes += tag(&random)
            ends.append(bytes.count)
        }
        return { count in blackHole(found(count, bytes, ends, in: crowd.index)) }
    }
}

private func found(
    _ count: Int,
    _ bytes: [UInt8],
    _ ends: [Int],
    in index: borrowing TagIndex
) -> UInt32 {
    let bytes = bytes.span
    var sum: UInt32 = 0
    for number in 0..<count {
        let place = number & 4_095
        sum &+= index.lookup(bytes.extracting(ends[place]..<ends[place + 1]))?.raw ?? 0
    }
    return sum
}

private func selection(_ name: String, _ text: String, _ crowd: SharedCrowd) -> Operation {
    Operation(name) {
        let crowd = crowd.made
        let expression = sound { () throws(TagError) in
            try TagExpression(parsing: Array(text.utf8))
        }
        return { count in
            for _ in 0..<count {
                crowd.audience.removeAll(keepingCapacity: true)
                crowd.index.select(expression, within: nil, into: &crowd.audience)
            }
            blackHole(crowd.audience.count)
        }
    }
}

/// Made once, by whichever operation is the first.
private final class SharedCrowd {
    private var crowd: Crowd?

    var made: Crowd {
        let made = crowd ?? Crowd()
        crowd = made
        return made
    }
}

private final class Crowd {
    var index = TagIndex(seed: 7)
    var audience: [SlotIndex] = []

    init() {
        var random = Numbers(seed: 1)
        for number in 0..<100_000 { enter(SlotIndex(raw: UInt32(number)), &random) }
    }

    /// Gives a slot its own tag and ten by lot; some of these may be the same.
    func enter(_ slot: SlotIndex, _ random: inout Numbers) {
        let own = Self.device(Int(slot.raw))
        var tags = [index.intern(own.span)]
        for _ in 0..<10 {
            let topic = Self.topic(random.rank())
            tags.append(index.intern(topic.span))
        }
        index.replace(slot, tags: tags)
    }

    static func topic(_ rank: Int) -> [UInt8] { Array("topic:\(rank)".utf8) }

    static func device(_ number: Int) -> [UInt8] { Array("device:\(number)".utf8) }
}
