import Foundation
import HubREST
import HubVocabulary
import Testing

@Suite("The OpenAPI document")
struct OpenAPITests {
    /// The served document, as tools see it.
    private static func document() async throws -> [String: Any] {
        let reply = try await RESTHarness().send(.get, "/$belfry/openapi.json", token: nil)
        #expect(reply.status == 200)
        #expect(reply["Content-Type"] == "application/json; charset=utf-8")
        let value = try JSONSerialization.jsonObject(with: Data(reply.body.utf8))
        return try #require(value as? [String: Any])
    }

    @Test("has a schema for every JSON answer")
    func schemas() {
        for row in RouteTable.rows {
            for answer in row.answers where answer.type?.contains("json") == true {
                #expect(answer.schema != nil, "\(row.name), \(answer.status)")
            }
        }
    }

    @Test("has an operation with every status for every row of the table")
    func rows() async throws {
        let document = try await Self.document()
        #expect((document["openapi"] as? String)?.hasPrefix("3.1.") == true)
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        #expect(Set(paths.keys) == Set(RouteTable.rows.map(\.path.description)))
        for row in RouteTable.rows {
            let operation = try #require(paths[row.path.description]?[row.method.lowercased()])
            let responses = try #require(operation["responses"] as? [String: Any])
            let stated = Set(responses.keys)
            #expect(stated.isSuperset(of: row.statuses.map(String.init)), "\(row.name): \(stated)")
            let description = try #require(operation["description"] as? String)
            #expect(description.contains(row.summary), "\(row.name)")
            #expect(description.contains(row.right?.name ?? "no token"), "\(row.name)")
            let isOpen = (operation["security"] as? [Any])?.isEmpty == true
            #expect(isOpen == (row.right == nil), "\(row.name)")
            if case .read = row.body { #expect(operation["requestBody"] != nil, "\(row.name)") }
        }
        let total = paths.values.reduce(0) { $0 + $1.count }
        #expect(total == Set(RouteTable.rows.map { "\($0.method) \($0.path)" }).count)
    }

    @Test("names each operation once and declares every name in a path")
    func operations() async throws {
        let document = try await Self.document()
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        var names: Set<String> = []
        for (path, operations) in paths {
            for (method, operation) in operations {
                let name = try #require(operation["operationId"] as? String)
                #expect(names.insert(name).inserted, "\(name)")
                let given = try #require(operation["parameters"] as? [[String: Any]])
                let parameters = try given.map { try Self.resolved($0, in: document) }
                let inPath = parameters.filter { $0["in"] as? String == "path" }
                #expect(inPath.allSatisfy { $0["required"] as? Bool == true })
                let declared = inPath.compactMap { $0["name"] as? String }.sorted()
                let expected = PathPattern(stringLiteral: path).parameters.sorted()
                #expect(declared == expected, "\(method) \(path)")
                let places = parameters.map { "\($0["in"] ?? "")/\($0["name"] ?? "")" }
                #expect(Set(places).count == places.count, "\(method) \(path): \(places)")
                #expect(parameters.allSatisfy { $0["schema"] != nil && $0["description"] != nil })
            }
        }
    }

    @Test("refers only to what it has, and describes every answer and its body")
    func references() async throws {
        let document = try await Self.document()
        var seen = 0
        try Self.walk(document) { object in
            if let reference = object["$ref"] as? String {
                seen += 1
                _ = try Self.resolved(["$ref": reference], in: document)
            }
            if let responses = object["responses"] as? [String: [String: Any]] {
                for (status, given) in responses {
                    let answer = try Self.resolved(given, in: document)
                    #expect((answer["description"] as? String)?.isEmpty == false, "\(status)")
                }
            }
            if let content = object["content"] as? [String: [String: Any]] {
                for (type, media) in content { #expect(media["schema"] != nil, "\(type)") }
            }
        }
        #expect(seen > 50)
        let components = try #require(document["components"] as? [String: [String: Any]])
        #expect(components["securitySchemes"]?.keys.sorted() == ["token"])
        let security = try #require(document["security"] as? [[String: Any]])
        #expect(security.flatMap(\.keys) == ["token"])
    }

    @Test("has a meaning for every status that any row may answer")
    func statuses() async throws {
        let document = try await Self.document()
        let components = try #require(document["components"] as? [String: [String: Any]])
        let refusals = try #require(components["responses"])
        let successes = Set(RouteTable.rows.flatMap { $0.answers.map(\.status) })
        for status in Set(RouteTable.rows.flatMap(\.statuses)).subtracting(successes) {
            #expect(refusals["Refusal\(status)"] != nil, "\(status)")
        }
    }

    private struct Unresolved: Error {
        let reference: String
    }

    /// What an object refers to, or the object itself.
    private static func resolved(
        _ object: [String: Any],
        in document: [String: Any]
    ) throws -> [String: Any] {
        guard let reference = object["$ref"] as? String else { return object }
        var place: Any? = document
        for word in reference.split(separator: "/").dropFirst() {
            place = (place as? [String: Any])?[String(word)]
        }
        guard reference.hasPrefix("#/"), let found = place as? [String: Any] else {
            throw Unresolved(reference: reference)
        }
        return found
    }

    private static func walk(_ value: Any, _ visit: ([String: Any]) throws -> Void) throws {
        if let object = value as? [String: Any] {
            try visit(object)
            for member in object.values { try walk(member, visit) }
        } else if let list = value as? [Any] {
            for member in list { try walk(member, visit) }
        }
    }
}
