import DeviceEmulator
import Glibc
import HubClient
import HubTags

/// The tag index alone, in this process: many registrations with Zipf-distributed tags.
///
/// Times are CPU time, so that a busy machine changes little.
package struct IndexBenchmark: Sendable {
    /// What is done.
    package struct Options: Equatable, Sendable {
        /// Registrations.
        package var registrations = 1_000_000
        /// Different tags, of which the first is the most frequent.
        package var tags = 100_000
        /// Tags drawn for each registration; what is drawn twice counts once.
        package var tagsPerRegistration = 10
        /// Registrations that are removed and entered again.
        package var edits = 100_000
        /// Batches of each query, of which the middle one counts.
        package var batches = 15
        /// Decides tags and edits.
        package var seed: UInt64 = 1

        /// The defaults.
        package init() {}

        /// Whether figures of the prototype, at its size, may stand beside those of a run.
        var isPrototypeSize: Bool {
            registrations == 1_000_000 && tags == 100_000 && tagsPerRegistration == 10
        }
    }

    /// A query and how long the prototype took, in microseconds, at a million registrations.
    struct Query: Equatable, Sendable {
        let text: String
        let prototype: Double
    }

    /// What is asked: dense, mixed and sparse expressions, then single tags.
    static let queries = [
        Query(text: "(t1 || t2) && t3 && !t4", prototype: 164),
        Query(text: "(t2 || t5) && t1 && !t10", prototype: 204),
        Query(text: "(t50 || t200) && t3 && !t1", prototype: 49),
        Query(text: "(t1000 || t5000) && t1 && !t2", prototype: 3.5),
        Query(text: "(t1 || t2) && t5000 && !t4", prototype: 0.80),
        Query(text: "(t10000 || t20001) && t30001 && !t40001", prototype: 1.03),
        Query(text: "t1", prototype: 344),
        Query(text: "t10", prototype: 88),
        Query(text: "t100", prototype: 0.68),
        Query(text: "t1000", prototype: 0.54),
        Query(text: "t10000", prototype: 0.48),
    ]

    private static let prototypeBuild = 0.610
    private static let prototypeBytes = 43.9
    private static let prototypeEdit = 5.5

    private let options: Options

    /// A benchmark without a hub.
    package init(options: Options) { self.options = options }

    /// `index`.
    package var name: String { "index" }

    /// What it was told, by the option's name.
    package var settings: [String: String] {
        [
            "registrations": "\(options.registrations)", "tags": "\(options.tags)",
            "tags-per-registration": "\(options.tagsPerRegistration)",
            "edits": "\(options.edits)", "batches": "\(options.batches)",
            "seed": "\(options.seed)",
        ]
    }

    /// Measures once.
    package func turn(progress: BenchProgress) -> BenchTurn {
        var turn = BenchTurn()
        progress("drawing the tags of \(options.registrations) registrations")
        let draws = ZipfDraws(options)
        progress("building an index of \(options.registrations) registrations")
        var index = build(draws, withOwnTag: false, &turn)
        progress("asking \(Self.queries.count) expressions")
        ask(&index, draws, &turn)
        progress("removing and entering \(options.edits) registrations")
        edit(&index, draws, &turn)
        index = TagIndex(seed: options.seed)
        progress("building it again, each registration with a tag of its own")
        index = build(draws, withOwnTag: true, &turn)
        lookup(&index, &turn)
        return turn
    }

    private func build(
        _ draws: ZipfDraws,
        withOwnTag: Bool,
        _ turn: inout BenchTurn
    ) -> TagIndex {
        let count = options.registrations
        let names = (0..<options.tags).map { Array("t\($0 + 1)".utf8) }
        // Spelled out before the clock starts.
        let own = withOwnTag ? (0..<count).map { Array("username:\($0)".utf8) } : []
        var index = TagIndex(seed: options.seed)
        var ids: [TagID] = []
        let start = Self.used()
        for registration in 0..<count {
            ids.removeAll(keepingCapacity: true)
            for tag in draws.tags(of: registration) {
                let name = names[Int(tag)]
                ids.append(index.intern(name.span))
            }
            if withOwnTag {
                let name = own[registration]
                ids.append(index.intern(name.span))
            }
            index.insert(SlotIndex(raw: UInt32(registration)), tags: ids)
        }
        let took = Self.microseconds(since: start) / Double(count)
        let bytes = Double(index.memoryBytes) / Double(count)
        let isKnown = options.isPrototypeSize && !withOwnTag
        let what = withOwnTag ? "with a tag of its own" : "\(options.tagsPerRegistration) tags"
        turn.read(
            "build, a registration, \(what)",
            took,
            "µs",
            .less,
            reference: isKnown ? Self.prototypeBuild : nil
        )
        turn.read(
            "memory, a registration, \(what)",
            bytes,
            "bytes",
            .less,
            reference: isKnown ? Self.prototypeBytes : nil
        )
        return index
    }

    private func ask(
        _ index: inout TagIndex,
        _ draws: ZipfDraws,
        _ turn: inout BenchTurn
    ) {
        for query in Self.queries {
            guard let expression = try? TagExpression(parsing: Array(query.text.utf8))
            else {
                turn.faults.append("'\(query.text)' is no expression")
                continue
            }
            var audience: [SlotIndex] = []
            index.select(expression, within: nil, into: &audience)
            let naive = draws.audience(of: query.text)
            if audience.map(\.raw) != naive {
                turn.faults.append(
                    "'\(query.text)' selects \(audience.count) and not \(naive.count) registrations"
                )
            }
            turn.read(
                "select \(query.text)",
                time(expression, &index, &audience),
                "µs",
                .less,
                reference: options.isPrototypeSize ? query.prototype : nil
            )
            turn.read("matches \(query.text)", Double(naive.count), "", .neither)
        }
    }

    /// Microseconds of one selection: the median of batches that take a millisecond at least.
    private func time(
        _ expression: TagExpression,
        _ index: inout TagIndex,
        _ audience: inout [SlotIndex]
    ) -> Double {
        var repeats = 1
        func batch(_ index: inout TagIndex, _ audience: inout [SlotIndex]) -> Double {
            let start = Self.used()
            for _ in 0..<repeats {
                audience.removeAll(keepingCapacity: true)
                index.select(expression, within: nil, into: &audience)
            }
            return Self.microseconds(since: start)
        }
        while batch(&index, &audience) < 1_000, repeats < 1 << 20 { repeats *= 2 }
        let values = (0..<max(1, options.batches)).map { _ in
            batch(&index, &audience) / Double(repeats)
        }
        return values.sorted()[values.count / 2]
    }

    private func edit(
        _ index: inout TagIndex,
        _ draws: ZipfDraws,
        _ turn: inout BenchTurn
    ) {
        var random = JitterSource(seed: options.seed ^ 0xED17)
        let slots = (0..<options.edits).map { _ in
            Int.random(in: 0..<options.registrations, using: &random)
        }
        let names = (0..<options.tags).map { Array("t\($0 + 1)".utf8) }
        // Ids of tags stay good while somebody has them; pinned, they stay good here.
        var pinned: [TagID?] = names.map { index.lookup($0.span) }
        for id in pinned { if let id { index.pin(id) } }
        let known = pinned.map { $0 ?? TagID(raw: 0) }
        var ids: [TagID] = []
        let start = Self.used()
        for slot in slots {
            ids.removeAll(keepingCapacity: true)
            for tag in draws.tags(of: slot) { ids.append(known[Int(tag)]) }
            index.remove(SlotIndex(raw: UInt32(slot)))
            index.insert(SlotIndex(raw: UInt32(slot)), tags: ids)
        }
        let took = Self.microseconds(since: start) / Double(max(1, slots.count))
        for id in pinned { if let id { index.unpin(id) } }
        pinned = []
        if index.slotCount != options.registrations {
            turn.faults.append("\(index.slotCount) registrations are left after the edits")
        }
        turn.read(
            "remove and enter a registration",
            took,
            "µs",
            .less,
            reference: options.isPrototypeSize ? Self.prototypeEdit : nil
        )
    }

    /// A single user's registration, found by its own tag.
    private func lookup(_ index: inout TagIndex, _ turn: inout BenchTurn) {
        var random = JitterSource(seed: options.seed ^ 0x10)
        let users = (0..<1_000).map { _ in Int.random(in: 0..<options.registrations, using: &random)
        }
        var audience: [SlotIndex] = []
        var expressions: [TagExpression] = []
        for user in users {
            let text = Array("username:\(user)".utf8)
            if let expression = try? TagExpression(parsing: text) {
                expressions.append(expression)
            }
        }
        let start = Self.used()
        for expression in expressions {
            index.select(expression, within: nil, into: &audience)
        }
        let took = Self.microseconds(since: start) / Double(max(1, expressions.count))
        if audience.map({ Int($0.raw) }) != users {
            turn.faults.append("a user's own tag does not select the user's registration")
        }
        turn.read("select one of \(options.registrations) users", took, "µs", .less)
    }

    /// The CPU that this process has used, in nanoseconds; nobody else's work is in it.
    private static func used() -> UInt64 { HubProcess.cpuNanoseconds(getpid()) ?? 0 }

    private static func microseconds(since start: UInt64) -> Double {
        Double(used() &- start) / 1_000
    }
}

/// The tags of all registrations, drawn once: tag `r` with a chance that falls as `1 / r`.
struct ZipfDraws {
    private let tags: [UInt32]
    private let starts: [UInt32]

    init(_ options: IndexBenchmark.Options) {
        var cumulative: [Double] = []
        var sum = 0.0
        for rank in 1...max(1, options.tags) {
            sum += 1 / Double(rank)
            cumulative.append(sum)
        }
        var random = JitterSource(seed: options.seed)
        var tags: [UInt32] = []
        var starts: [UInt32] = [0]
        tags.reserveCapacity(options.registrations * options.tagsPerRegistration)
        starts.reserveCapacity(options.registrations + 1)
        for _ in 0..<options.registrations {
            let start = tags.count
            for _ in 0..<options.tagsPerRegistration {
                let wanted = Double.random(in: 0..<sum, using: &random)
                let tag = Self.place(of: wanted, in: cumulative)
                if !tags[start...].contains(tag) { tags.append(tag) }
            }
            starts.append(UInt32(tags.count))
        }
        self.tags = tags
        self.starts = starts
    }

    /// How many registrations there are.
    var count: Int { starts.count - 1 }

    /// The tags of a registration, from 0, in the order in which they were drawn.
    func tags(of registration: Int) -> ArraySlice<UInt32> {
        tags[Int(starts[registration])..<Int(starts[registration + 1])]
    }

    /// Whom an expression means, one registration after another; the index must say the same.
    ///
    /// Knows what the queries need: `(a || b) && c && !d`, or one tag.
    func audience(of text: String) -> [UInt32] {
        let numbers = text.split { !$0.isNumber }.compactMap { UInt32($0) }.map { $0 - 1 }
        return (0..<UInt32(count)).filter { registration in
            let own = tags(of: Int(registration))
            guard numbers.count == 4 else { return own.contains(numbers[0]) }
            return (own.contains(numbers[0]) || own.contains(numbers[1]))
                && own.contains(numbers[2]) && !own.contains(numbers[3])
        }
    }

    private static func place(of wanted: Double, in cumulative: [Double]) -> UInt32 {
        var low = 0
        var high = cumulative.count - 1
        while low < high {
            let middle = (low + high) / 2
            if cumulative[middle] > wanted { high = middle } else { low = middle + 1 }
        }
        return UInt32(low)
    }
}
