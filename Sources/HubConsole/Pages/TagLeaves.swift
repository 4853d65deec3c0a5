import HubModel
import HubREST
import HubTags
import HubVocabulary

/// The tags of an expression one by one: how many registrations have each, and the tag that may be
/// meant where none has.
enum TagLeaves {
    private struct Leaf {
        let tag: String
        let registrations: Int
        let nearest: String?
    }

    /// Tags of an expression that are counted.
    private static let leavesMax = 10
    /// Tags with the same beginning that are compared.
    private static let neighboursMax = 200

    /// Writes them as a table.
    static func write(
        _ expression: TagExpression,
        _ visit: PageVisit,
        _ main: inout HTMLOutput
    ) async throws(RequestFailure) {
        var leaves: [Leaf] = []
        for index in 0..<expression.tagCount where leaves.count < leavesMax {
            let tag = String(
                decoding: expression.source[expression.tagRange(at: index)],
                as: UTF8.self
            )
            guard !leaves.contains(where: { $0.tag == tag }) else { continue }
            leaves.append(try await leaf(tag, visit.asking))
        }
        main.table("Its tags", ["Tag", "Registrations", "Nearest tag"]) { table in
            for leaf in leaves {
                table.row { row in
                    row.cell { link(leaf.tag, visit, &$0) }
                    row.cell(number: leaf.registrations)
                    row.cell { cell in
                        guard let nearest = leaf.nearest else { return cell.text("–") }
                        cell.text("Did you mean ")
                        link(nearest, visit, &cell)
                        cell.text("?")
                    }
                }
            }
        }
    }

    private static func link(_ tag: String, _ visit: PageVisit, _ cell: inout HTMLOutput) {
        cell.strangerLink(PageAddress.hub(visit.named, "registrations", query: ["tag": tag]), tag)
    }

    private static func leaf(
        _ tag: String,
        _ asking: HubAsking
    ) async throws(RequestFailure) -> Leaf {
        // Of the tags that begin so, the shortest comes first.
        let found = try await asking.tags(prefix: Array(tag.utf8), after: [], limit: 1).entries
        if let same = found.first, same.folded == ASCII.lower(Array(tag.utf8)) {
            return Leaf(tag: tag, registrations: same.registrations, nearest: nil)
        }
        let near = try await asking.tags(
            prefix: Array(tag.utf8.prefix(1)),
            after: [],
            limit: neighboursMax
        ).entries
        let words = near.map { String(decoding: $0.tag, as: UTF8.self) }
        return Leaf(tag: tag, registrations: 0, nearest: NearestWord.of(tag, among: words))
    }
}
