import HubREST
import Testing

@Suite("The route table")
struct RouteTableTests {
    @Test("names each operation once, in letters and digits")
    func names() {
        let names = RouteTable.rows.map(\.name)
        #expect(Set(names).count == names.count, "\(names.sorted())")
        for name in names + [RESTEvent.unknown] {
            #expect(name.utf8.allSatisfy { $0 >= 0x30 && $0 < 0x80 }, "\(name)")
        }
        #expect(!names.contains(RESTEvent.unknown))
    }

    @Test("leaves no method of a path without an operation for every query")
    func selectors() {
        for resource in RouteTable.resources {
            for method in resource.allowed {
                let rows = resource.rows.filter { $0.method == method }
                #expect(rows.last?.when == .always, "\(method) \(resource.path)")
                let others = rows.dropLast().map(\.when)
                #expect(!others.contains(.always) && Set(others).count == others.count)
            }
        }
    }

    @Test("finds each row by its own address, whatever the casing")
    func addresses() {
        for row in RouteTable.rows {
            let query = row.sampleQuery.isEmpty ? "" : "?\(row.sampleQuery)"
            for path in [row.samplePath, row.samplePath.uppercased(), row.samplePath + "/"] {
                let found = RouteTable.row(method: row.method, target: path + query)
                #expect(found?.name == row.name, "\(row.method) \(path)\(query)")
            }
        }
    }

    @Test("describes every name in a path, and ends no sentence of a summary")
    func notes() {
        for row in RouteTable.rows {
            let described = row.inputs.filter { $0.place == .path }.map(\.name)
            #expect(Set(described + ["hub"]).isSuperset(of: row.path.parameters), "\(row.name)")
            #expect(Set(row.path.parameters).isSuperset(of: described), "\(row.name)")
            #expect(!row.summary.isEmpty && !row.summary.hasSuffix("."), "\(row.name)")
            #expect(!row.answers.isEmpty || !row.refusals.isEmpty, "\(row.name)")
        }
    }

    @Test("prefers a fixed word to a name in braces")
    func words() {
        let paths = RouteTable.resources.map(\.path)
        for (index, path) in paths.enumerated() {
            for earlier in paths[..<index] {
                #expect(earlier.parameters.count <= path.parameters.count)
            }
        }
    }
}

extension RouteRow {
    /// A path that leads here, on the hub `news`.
    var samplePath: String {
        path.description.split(separator: "/").map { part in
            switch part {
            case "{hub}": "/news"
            case _ where part.hasPrefix("{"): "/1-2-3"
            default: "/\(part)"
            }
        }.joined()
    }

    /// A query that selects this row among those of its method and path.
    var sampleQuery: String {
        switch when {
        case .always: ""
        case .flag(let name): name
        case .present(let name): "\(name)=ChannelUri+eq+'x'"
        }
    }
}
