/// The properties that the nodes of one database must have alike: each may lead its hubs next.
package struct NodeShape: Hashable, Sendable {
    /// The release of the program.
    package let release: String
    /// Settings that decide what a hub takes, by their names.
    package let limits: [String: String]

    /// Joins both.
    package init(release: String, limits: [String: String]) {
        self.release = release
        self.limits = limits
    }

    /// Reads what `text` wrote of the limits.
    package init(release: String, text: String) {
        var limits: [String: String] = [:]
        for line in text.split(separator: "\n") {
            guard let mark = line.firstIndex(of: "=") else { continue }
            limits[String(line[..<mark])] = String(line[line.index(after: mark)...])
        }
        self.init(release: release, limits: limits)
    }

    /// The limits as text, always in the same order.
    package var text: String {
        limits.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "\n")
    }

    /// Why a node of this shape may not stand beside a leader of another one, as the rest of a
    /// sentence about that; nil when it may, and where one of them says nothing.
    package func difference(from leader: NodeShape) -> String? {
        if !leader.release.isEmpty, leader.release != release {
            return "with release \(leader.release), and this is \(release): end it, and this one "
                + "takes over"
        }
        let names = limits.keys.sorted().filter { name in
            leader.limits[name].map { $0 != limits[name] } ?? false
        }
        guard let first = names.first else { return nil }
        return "with \(first) = \(leader.limits[first] ?? ""), and here it is "
            + "\(limits[first] ?? ""): make the settings of all nodes alike"
    }
}
