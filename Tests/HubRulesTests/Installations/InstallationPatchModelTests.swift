@testable import HubHarness
import HubModel
import HubRules
import HubTags
import HubTestSupport
import HubVocabulary
import Testing

/// An installation as nested dictionaries, patched in the plainest way.
private struct NaiveInstallation: Equatable {
    struct Template: Equatable {
        var body = "{}"
        var expiry = ""
        var headers: [String: String] = [:]
        var tags: Set<String> = []
    }

    var userID = ""
    var tags: Set<String> = []
    var variables: [String: String] = [:]
    var templates: [String: Template] = [:]

    /// Reads what the hub would store; nil when these tests make no such thing.
    init?(_ document: InstallationDocument) {
        func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
        func spelled(_ tags: TagSet) -> Set<String> {
            Set((0..<tags.count).map { text(Array(tags.bytes[tags.range(at: $0)])) })
        }
        func pairs(_ values: [NamedValue]) -> [String: String] {
            Dictionary(uniqueKeysWithValues: values.map { (text($0.name), text($0.value)) })
        }
        userID = text(document.userID)
        tags = spelled(document.channel.tags)
        variables = pairs(document.pushVariables)
        for template in document.channel.templates {
            templates[text(template.name)] = Template(
                body: text(template.body),
                expiry: text(template.expiry),
                headers: pairs(template.headers),
                tags: spelled(template.tags)
            )
        }
    }
}

@Suite("Patches against a naive model")
struct InstallationPatchModelTests {
    private typealias Given = GivenInstallation

    /// An operation as text and what it does to the model; false when it must be refused.
    private typealias Step = (json: String, apply: (inout NaiveInstallation) -> Bool)

    @Test("patching a document is patching nested dictionaries", arguments: UInt64(1)...60)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var document = try Given.document(Given.apple())
        var model = try #require(NaiveInstallation(document))
        for _ in 0..<40 {
            let steps = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                Self.step(&random)
            }
            let json = "[" + steps.map(\.json).joined(separator: ",") + "]"
            var next = model
            let isTaken = steps.allSatisfy { $0.apply(&next) }
            do {
                document = try Given.patch(json).apply(to: document, limits: .standard)
                #expect(isTaken, "seed \(seed): \(json)")
                model = next
            } catch is Refusal {
                // All or nothing: the document is what it was.
                #expect(!isTaken, "seed \(seed): \(json)")
            }
            #expect(NaiveInstallation(document) == model, "seed \(seed): \(json)")
        }
    }

    /// The parts that an operation is made of.
    private struct Choice {
        let verb: String
        let value: String
        let name: String

        init(_ random: inout SeededGenerator) {
            verb = ["add", "replace", "remove"][Int.random(in: 0..<3, using: &random)]
            value = "v\(Int.random(in: 0..<4, using: &random))"
            name = "n\(Int.random(in: 0..<3, using: &random))"
        }

        var isRemoval: Bool { verb == "remove" }

        func json(_ path: String, _ given: String) -> String {
            let member = isRemoval ? "" : #","value":\#(given)"#
            return #"{"op":"\#(verb)","path":"\#(path)"\#(member)}"#
        }
    }

    private static func step(_ random: inout SeededGenerator) -> Step {
        let choice = Choice(&random)
        return Bool.random(using: &random)
            ? ownStep(choice, Int.random(in: 0..<4, using: &random))
            : templateStep(choice, Int.random(in: 0..<5, using: &random))
    }

    private static func ownStep(_ choice: Choice, _ kind: Int) -> Step {
        let (verb, value, name) = (choice.verb, choice.value, choice.name)
        let isRemoval = choice.isRemoval
        switch kind {
        case 0:
            return (
                choice.json("/userId", "\"\(value)\""),
                { model in
                    model.userID = isRemoval ? "" : value
                    return true
                }
            )
        case 1:
            return (
                choice.json("/tags", "\"\(value),x\""),
                { model in
                    if verb != "add" { model.tags = [] }
                    if !isRemoval { model.tags.formUnion([value, "x"]) }
                    return true
                }
            )
        case 2:
            return (
                choice.json("/tags/\(name)", "\"\(value)\""),
                { model in
                    if verb == "add" { model.tags.insert(name) } else { model.tags.remove(name) }
                    if verb == "replace" { model.tags.insert(value) }
                    return true
                }
            )
        default:
            return (
                choice.json("/pushVariables/\(name)", "\"\(value)\""),
                { model in
                    model.variables[name] = isRemoval ? nil : value
                    return true
                }
            )
        }
    }

    private static func templateStep(_ choice: Choice, _ kind: Int) -> Step {
        let (verb, value, name) = (choice.verb, choice.value, choice.name)
        let isRemoval = choice.isRemoval
        let path = "/templates/\(name)"
        switch kind {
        case 0:
            return (
                choice.json(path, #"{"body":"\#(value)","tags":["t"]}"#),
                { model in
                    let template = NaiveInstallation.Template(body: value, tags: ["t"])
                    model.templates[name] = isRemoval ? nil : template
                    return true
                }
            )
        case 1:
            return (
                choice.json("\(path)/body", "\"\(value)\""),
                { model in
                    guard !isRemoval, model.templates[name] != nil else { return false }
                    model.templates[name]?.body = value
                    return true
                }
            )
        case 2:
            return inner(choice.json("\(path)/expiry", "\"\(value)\""), name, isRemoval) {
                $0.expiry = isRemoval ? "" : value
            }
        case 3:
            return inner(choice.json("\(path)/headers/h", "\"\(value)\""), name, isRemoval) {
                $0.headers["h"] = isRemoval ? nil : value
            }
        default:
            return inner(choice.json("\(path)/tags", "[\"\(value)\"]"), name, isRemoval) {
                if verb != "add" { $0.tags = [] }
                if !isRemoval { $0.tags.insert(value) }
            }
        }
    }

    /// A change inside a template: refused without the template unless it removes.
    private static func inner(
        _ json: String,
        _ name: String,
        _ isRemoval: Bool,
        _ change: @escaping (inout NaiveInstallation.Template) -> Void
    ) -> Step {
        (
            json,
            { model in
                guard model.templates[name] != nil else { return isRemoval }
                model.templates[name].map {
                    var template = $0
                    change(&template)
                    model.templates[name] = template
                }
                return true
            }
        )
    }
}
