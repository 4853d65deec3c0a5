import Benchmark
import HubTags

/// Finding tags and audiences in an index of 100,000 registrations with some ten tags each.
func tagOperations() -> [Operation] {
    let crowd = SharedCrowd()
    return [
        Operation("tag lookup") {
            let crowd = crowd.made
            var random = Numbers(seed: 2)
            let tags = (0..<4_096).map { _ in Crowd.topic(random.rank()) }
            return { count in
                var sum: UInt32 = 0
                for number in 0..<count {
                    let tag = tags[number & 4_095]
                    sum &+= crowd.index.lookup(tag.span)?.raw ?? 0
                }
                blackHole(sum)
            }
        },
        Operation("tag lookup, one device's own") {
            let crowd = crowd.made
            let tags = (0..<4_096).map { number in Crowd.device(number * 23) }
            return { count in
                var sum: UInt32 = 0
                for number in 0..<count {
                    let tag = tags[number & 4_095]
                    sum &+= crowd.index.lookup(tag.span)?.raw ?? 0
                }
                blackHole(sum)
            }
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

    /// Gives a slot its own tag and ten by lot, of which some may be the same.
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
