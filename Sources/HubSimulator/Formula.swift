import HubVocabulary

/// A tag expression as its maker sees it: evaluated naively, written out for the hub.
indirect enum Formula {
    case tag(String)
    case not(Formula)
    case both(Formula, Formula)
    case either(Formula, Formula)

    /// The tags that devices and senders use.
    static let tags = ["a", "b", "c", "d", "e", "f"]

    /// A small formula, drawn.
    static func draw(_ random: inout SeededRandom, depth: Int = 2) -> Formula {
        let kind = depth == 0 ? 0 : random.next() % 8
        switch kind {
        case 0...3: return .tag(tags[Int(random.next() % UInt64(tags.count))])
        case 4: return .not(draw(&random, depth: 0))
        case 5: return .both(draw(&random, depth: depth - 1), draw(&random, depth: depth - 1))
        default: return .either(draw(&random, depth: depth - 1), draw(&random, depth: depth - 1))
        }
    }

    /// How senders write it.
    var text: String {
        switch self {
        case .tag(let tag): tag
        case .not(let inner): "!\(inner.text)"
        case .both(let left, let right): "(\(left.text) && \(right.text))"
        case .either(let left, let right): "(\(left.text) || \(right.text))"
        }
    }

    /// Whether a set of tags satisfies it.
    func holds(_ tags: Set<String>) -> Bool {
        switch self {
        case .tag(let tag): tags.contains(tag)
        case .not(let inner): !inner.holds(tags)
        case .both(let left, let right): left.holds(tags) && right.holds(tags)
        case .either(let left, let right): left.holds(tags) || right.holds(tags)
        }
    }
}
