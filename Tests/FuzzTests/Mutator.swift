import HubTestSupport

/// Makes new inputs of old ones, the same from the same seed.
struct Mutator {
    private var random: SeededGenerator
    private let inputs: [[UInt8]]

    init(seed: UInt64, inputs: [[UInt8]]) {
        random = SeededGenerator(seed: seed)
        self.inputs = inputs
    }

    /// One of the inputs after one to four changes.
    mutating func next() -> [UInt8] {
        var input = pick()
        for _ in 0...number(below: 4) { change(&input) }
        return Array(input.prefix(8_192))
    }

    private mutating func change(_ input: inout [UInt8]) {
        let place = number(below: input.count + 1)
        switch number(below: 7) {
        case 0: input.insert(UInt8(number(below: 256)), at: place)
        case 1: input.removeSubrange(place..<min(input.count, place + number(below: 8)))
        case 2 where place < input.count: input[place] ^= 1 << UInt8(number(below: 8))
        case 3 where place < input.count:
            let edges: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, 0x22, 0x24, 0x26, 0x28, 0x3C, 0x7C]
            input[place] = edges[number(below: edges.count)]
        case 4: input.append(contentsOf: pick().dropFirst(number(below: 16)))
        case 5: input = Array(input.prefix(place)) + pick().suffix(number(below: 64))
        default:
            let copied = input[place...].prefix(number(below: 32))
            input.insert(contentsOf: Array(copied), at: place)
        }
    }

    private mutating func pick() -> [UInt8] {
        inputs.isEmpty ? [] : inputs[number(below: inputs.count)]
    }

    private mutating func number(below end: Int) -> Int { Int(random.next() % UInt64(end)) }
}
