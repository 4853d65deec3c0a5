/// Folders of a target are rooms: `Rooms` says which stands on which, and arrows point down.
enum RoomRule {
    static let filesOfCircleMax = 10

    /// Arrows up, folders without a place, and a row to begin with where there is none.
    static func check(
        _ module: Module,
        rooms: [String]?,
        exceptions: [Rooms.Exception] = []
    ) -> [Offence] {
        let folders = Set(module.files.map(module.folder))
        guard folders.count > 1 || rooms != nil else { return [] }
        let arrows = module.arrows().filter { arrow in
            let (from, to) = ends(arrow, in: module)
            return from != to
                && !exceptions.contains {
                    $0.target == module.name && $0.from == from && $0.to == to
                }
        }
        func offence(_ message: String, in place: SourceFile? = nil, key: String) -> Offence {
            let file = place?.name ?? Rooms.file
            let text = "\(module.name): \(message)"
            return Offence(key: key, place: Finding(file: file, line: 1, message: text))
        }
        guard let rooms else {
            guard let row = order(module, arrows.map { ends($0, in: module) }) else {
                return [offence("has folders that use each other", key: module.name)]
            }
            return [offence("has no row, which could be \(row)", key: "rows")]
        }
        let strays = folders.symmetricDifference(rooms).sorted().map { folder in
            offence("'\(folder)' is in its row or in the tree alone", key: "rows")
        }
        return strays
            + arrows.compactMap { arrow in
                let (from, to) = ends(arrow, in: module)
                guard let above = rooms.firstIndex(of: from), let below = rooms.firstIndex(of: to),
                    above < below
                else { return nil }
                let source = module.files[arrow.from].source
                let message = "\(from) uses \(arrow.word) of \(to), which stands above it"
                return offence(message, in: source, key: module.name)
            }
    }

    /// Circles of more files than may be in one.
    static func circles(_ module: Module) -> [Offence] {
        var arrows = Array(repeating: Set<Int>(), count: module.files.count)
        for arrow in module.arrows() { arrows[arrow.from].insert(arrow.to) }
        return Circles.of(arrows).filter { $0.count > filesOfCircleMax }.map { circle in
            let names = circle.map { module.files[$0].source.base }.sorted().joined(separator: " ")
            let place = module.files[circle[0]].source.finding(1, "a circle of files: \(names)")
            return Offence(key: module.name, place: place, amount: circle.count)
        }
    }

    private static func ends(
        _ arrow: (from: Int, to: Int, word: String),
        in module: Module
    ) -> (String, String) {
        (module.folder(module.files[arrow.from]), module.folder(module.files[arrow.to]))
    }

    /// The folders from bottom to top; nil where some use each other.
    private static func order(_ module: Module, _ arrows: [(String, String)]) -> [String]? {
        var left = Set(module.files.map(module.folder))
        var row: [String] = []
        while !left.isEmpty {
            let free = left.filter { folder in
                !arrows.contains { $0.0 == folder && left.contains($0.1) }
            }
            guard !free.isEmpty else { return nil }
            row += free.sorted()
            left.subtract(free)
        }
        return row
    }
}

/// The strongly connected parts of a graph (Tarjan).
struct Circles {
    private let arrows: [Set<Int>]
    private var number: [Int?]
    private var low: [Int]
    private var stack: [Int] = []
    private var isOnStack: [Bool]
    private var count = 0
    private var found: [[Int]] = []

    /// The parts of more than one node, each node as its place in `arrows`.
    static func of(_ arrows: [Set<Int>]) -> [[Int]] {
        var search = Circles(arrows)
        for node in arrows.indices where search.number[node] == nil { search.visit(node) }
        return search.found.filter { $0.count > 1 }
    }

    private init(_ arrows: [Set<Int>]) {
        self.arrows = arrows
        number = Array(repeating: nil, count: arrows.count)
        low = Array(repeating: 0, count: arrows.count)
        isOnStack = Array(repeating: false, count: arrows.count)
    }

    private mutating func visit(_ node: Int) {
        let own = count
        number[node] = own
        low[node] = own
        count += 1
        stack.append(node)
        isOnStack[node] = true
        for next in arrows[node] {
            if number[next] == nil {
                visit(next)
                low[node] = min(low[node], low[next])
            } else if isOnStack[next] {
                low[node] = min(low[node], number[next] ?? own)
            }
        }
        guard low[node] == own else { return }
        var part: [Int] = []
        repeat {
            part.append(stack.removeLast())
            isOnStack[part[part.count - 1]] = false
        } while part.last != node
        found.append(part.sorted())
    }
}
