package import HubModel
package import HubRules
package import HubVocabulary

/// Reads what clients post as a job.
///
/// Source: REST §13.
package enum JobReader {
    /// The request of an Atom entry; its places are allowed ones.
    ///
    /// - Throws: `.invalid` naming the element that is missing or cannot be used.
    package static func read(
        _ body: [UInt8],
        rule: String,
        places: JobPlaces,
        limits: CoreLimits
    ) throws(Refusal) -> JobRequest {
        let root = try XMLInput.parse(body)
        guard root.name == "entry" else {
            throw .invalid(field: "entry", reason: "must be the root element.")
        }
        guard let job = root.child("content")?.children.first, job.name == "NotificationHubJob"
        else { throw .invalid(field: "content", reason: "holds no NotificationHubJob.") }
        let members = try XMLMembers(job)
        func text(_ name: String) -> String {
            String(decoding: members.trimmed(name), as: UTF8.self)
        }
        let word = text("Type")
        guard let kind = JobKind.allCases.first(where: { $0.word == word }) else {
            let words = JobKind.allCases.map(\.word).joined(separator: ", ")
            throw .invalid(field: "Type", reason: "must be one of \(words).")
        }
        let output = text("OutputContainerUri")
        guard !output.isEmpty else {
            throw .invalid(field: "OutputContainerUri", reason: "is missing or empty.")
        }
        _ = try places.place(output, field: "OutputContainerUri", isFile: false)
        var request = JobRequest(kind: kind, output: output, input: nil, rule: rule)
        request.properties = try properties(members.node(propertiesField), limits: limits)
        guard kind != .exportRegistrations else { return request }
        let input = text("ImportFileUri")
        guard !input.isEmpty else {
            throw .invalid(field: "ImportFileUri", reason: "is missing or empty.")
        }
        _ = try places.place(input, field: "ImportFileUri", isFile: true)
        request.input = input
        return request
    }

    private static let propertiesField = "InputProperties"

    /// A map as serializers write one: pairs of key and value, whatever their prefix.
    private static func properties(
        _ map: XMLNode?,
        limits: CoreLimits
    ) throws(Refusal) -> [NamedValue] {
        guard let map else { return [] }
        guard map.children.count <= limits.jobs.jobPropertiesMax else {
            throw .tooManyInRequest(what: propertiesField, limit: limits.jobs.jobPropertiesMax)
        }
        var found: [NamedValue] = []
        for pair in map.children {
            let members = try XMLMembers(pair)
            guard pair.name == "KeyValueOfstringstring", let key = members.node("Key") else {
                throw .invalid(
                    field: propertiesField,
                    reason: "must hold KeyValueOfstringstring, each with a Key and a Value."
                )
            }
            let property = NamedValue(name: Array(key.text.utf8), value: members.text("Value"))
            for text in [property.name, property.value]
            where text.count > limits.jobs.jobPropertyBytesMax {
                throw .tooLarge(
                    field: propertiesField,
                    bytes: text.count,
                    limit: limits.jobs.jobPropertyBytesMax
                )
            }
            guard !found.contains(where: { $0.name == property.name }) else {
                throw .invalid(
                    field: propertiesField,
                    reason: "has the key '\(key.text.prefix(64))' twice."
                )
            }
            found.append(property)
        }
        guard !found.isEmpty else {
            throw .invalid(field: propertiesField, reason: "is text, and must be a map.")
        }
        return found
    }
}
