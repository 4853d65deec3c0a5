import Foundation

/// The part of `ExportTraceServiceRequest` that is used, after the public `trace.proto`,
/// `common.proto`, `resource.proto` and the rules of *JSON Protobuf Encoding*.
enum OTLPShape {
    private static let spanFields: Set<String> = [
        "traceId", "spanId", "traceState", "parentSpanId", "flags", "name", "kind",
        "startTimeUnixNano", "endTimeUnixNano", "attributes", "droppedAttributesCount", "events",
        "droppedEventsCount", "links", "droppedLinksCount", "status",
    ]

    /// The spans of a document.
    static func spans(_ data: Data) throws -> [[String: Any]] {
        let root = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let resources = root?["resourceSpans"] as? [[String: Any]] ?? []
        let scopes = resources.flatMap { $0["scopeSpans"] as? [[String: Any]] ?? [] }
        return scopes.flatMap { $0["spans"] as? [[String: Any]] ?? [] }
    }

    /// The facts of a span by their names, as text.
    static func facts(_ span: [String: Any]) -> [String: String] {
        var facts: [String: String] = [:]
        for fact in span["attributes"] as? [[String: Any]] ?? [] {
            let value = fact["value"] as? [String: String]
            facts[fact["key"] as? String ?? ""] = value?.values.first
        }
        return facts
    }

    /// The differences of a document from the published shape.
    static func problems(_ data: Data) throws -> [String] {
        let root = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        var problems = unknown(root, ["resourceSpans"], "the request")
        for resource in root["resourceSpans"] as? [[String: Any]] ?? [] {
            problems += unknown(resource, ["resource", "scopeSpans", "schemaUrl"], "resourceSpans")
            let own = resource["resource"] as? [String: Any] ?? [:]
            problems += attributes(own["attributes"], "resource")
            for scope in resource["scopeSpans"] as? [[String: Any]] ?? [] {
                problems += unknown(scope, ["scope", "spans", "schemaUrl"], "scopeSpans")
                let named = scope["scope"] as? [String: Any] ?? [:]
                if !(named["name"] is String), !(named["version"] is String) {
                    problems.append("scope")
                }
            }
        }
        let spans = try spans(data)
        if spans.isEmpty { problems.append("no spans") }
        return problems + spans.flatMap(span)
    }

    private static func span(_ span: [String: Any]) -> [String] {
        var problems = unknown(span, spanFields, "span")
        if !isID(span["traceId"], bytes: 16) { problems.append("traceId") }
        if !isID(span["spanId"], bytes: 8) { problems.append("spanId") }
        if let parent = span["parentSpanId"], !isID(parent, bytes: 8) {
            problems.append("parentSpanId")
        }
        if (span["name"] as? String ?? "").isEmpty { problems.append("name") }
        if !(1...5).contains(span["kind"] as? Int ?? 0) { problems.append("kind") }
        let start = (span["startTimeUnixNano"] as? String).flatMap { UInt64($0) }
        let end = (span["endTimeUnixNano"] as? String).flatMap { UInt64($0) }
        if let start, let end, start > 0, end >= start {} else { problems.append("times") }
        let code = (span["status"] as? [String: Any])?["code"] as? Int ?? 0
        if !(0...2).contains(code) { problems.append("status") }
        return problems + attributes(span["attributes"], "span")
    }

    private static func attributes(_ value: Any?, _ place: String) -> [String] {
        guard let list = value as? [[String: Any]] else { return ["\(place) attributes"] }
        let keys = list.compactMap { $0["key"] as? String }
        var problems = Set(keys).count == list.count ? [] : ["\(place) keys"]
        for entry in list {
            let value = entry["value"] as? [String: Any] ?? [:]
            let isText = value["stringValue"] is String
            let isNumber = (value["intValue"] as? String).flatMap { Int64($0) } != nil
            if value.count != 1 || isText == isNumber { problems.append("\(place) value") }
        }
        return problems
    }

    private static func unknown(
        _ object: [String: Any],
        _ fields: Set<String>,
        _ place: String
    ) -> [String] {
        object.keys.filter { !fields.contains($0) }.map { "\(place) has \($0)" }
    }

    private static func isID(_ value: Any?, bytes: Int) -> Bool {
        guard let text = value as? String, text.utf8.count == bytes * 2 else { return false }
        return text.allSatisfy(\.isHexDigit) && text.contains { $0 != "0" }
    }
}
