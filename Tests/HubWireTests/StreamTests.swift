import HubTestSupport
import HubWire
import Testing

/// Feeds bytes in pieces, as sockets do.
struct StreamReader {
    let direction: Direction
    let limits: WireLimits
    private var pending: [UInt8] = []
    private(set) var findings: [Finding] = []

    init(direction: Direction, limits: WireLimits) {
        self.direction = direction
        self.limits = limits
    }

    mutating func receive(_ piece: ArraySlice<UInt8>) {
        pending.append(contentsOf: piece)
        while case .fields(let fields, let count) = find(pending, direction, .ready, limits) {
            findings.append(.fields(fields, bytes: count))
            pending.removeFirst(count)
        }
    }
}

@Suite("Streams of frames")
struct StreamTests {
    static let pieces: [Direction: [Vector]] = Dictionary(
        grouping: VectorTests.good.filter {
            $0.decodingState == .ready && $0.bytes.count < 3_000
        },
        by: \.direction
    )

    @Test("every split gives the same frames", arguments: Direction.allCases, [1, 2, 3, 4, 5])
    func splits(direction: Direction, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let vectors = (Self.pieces[direction] ?? []).shuffled(using: &random)
        #expect(vectors.count > 10)
        let stream = vectors.flatMap(\.bytes)
        var reader = StreamReader(direction: direction, limits: vectors[0].limits)
        var start = 0
        while start < stream.count {
            let most = [1, 7, 64, 1_500].randomElement(using: &random) ?? 1
            let end = min(stream.count, start + Int.random(in: 1...most, using: &random))
            reader.receive(stream[start..<end])
            start = end
        }
        let whole = vectors.map { find($0, $0.bytes) }
        #expect(reader.findings == whole, "seed \(seed)")
    }

    @Test("two frames cut at any byte are two frames", arguments: Direction.allCases)
    func cuts(direction: Direction) {
        let vectors = (Self.pieces[direction] ?? []).filter { $0.bytes.count < 200 }.prefix(12)
        let stream = vectors.flatMap(\.bytes)
        let whole = vectors.map { find($0, $0.bytes) }
        for cut in 0...stream.count {
            var reader = StreamReader(direction: direction, limits: vectors[0].limits)
            reader.receive(stream[..<cut])
            reader.receive(stream[cut...])
            #expect(reader.findings == whole, "cut at \(cut)")
        }
    }

    @Test("whatever is changed, the answer is a frame or a defined error", arguments: 1...4)
    func mutations(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let vectors = Vectors.all.filter { $0.bytes.count < 3_000 && !$0.bytes.isEmpty }
        var numbers: Set<ErrorNumber> = []
        for _ in 0..<5_000 {
            guard let vector = vectors.randomElement(using: &random) else { return }
            var bytes = vector.bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) { mutate(&bytes, &random) }
            let finding = find(vector, bytes)
            switch finding {
            case .refused(let error): numbers.insert(error.number)
            case .fields(_, let count): #expect(count <= bytes.count)
            case .needMore(let count):
                #expect(count > bytes.count, "seed \(seed): \(HexText.text(bytes))")
                #expect(count <= 8 + vector.limits.maxFrame)
            }
            #expect(find(vector, bytes) == finding)
        }
        #expect(numbers.allSatisfy { $0.rawValue <= 0x010C })
        #expect(numbers.count >= 10, "seed \(seed) reached \(numbers)")
    }

    private func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        guard !bytes.isEmpty else { return bytes.append(1) }
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes[index] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
        case 3: bytes.remove(at: index)
        case 4: bytes.removeSubrange(index...)
        default:
            // The length follows the bytes, so that the damage reaches the fields.
            bytes[index] = UInt8.random(in: 0...255, using: &random)
            guard bytes.count >= 8 else { return }
            let length = bytes.count - 8
            bytes[4] = 0
            bytes[5] = UInt8(length >> 16 & 255)
            bytes[6] = UInt8(length >> 8 & 255)
            bytes[7] = UInt8(length & 255)
        }
    }
}
