import HubTemplates
import HubTestSupport
import HubVocabulary
import Testing

/// The vectors of `Protocol/templates.md`.
@Suite("Vectors of templates")
struct TemplateVectorTests {
    struct Vector: Decodable, CustomTestStringConvertible, Sendable {
        struct Result: Decodable, Sendable {
            var body: String
            var headers: [[String]]
            var expires: String?
        }

        var name: String
        var platform: UInt8
        var body: String
        var expiry: String
        var headers: [[String]]
        var properties: String
        var expect: Result?
        var error: String?

        var testDescription: String { name }

        /// The registration that the vector describes.
        var definition: TemplateDefinition {
            TemplateDefinition(
                name: [],
                body: Array(body.utf8),
                expiry: Array(expiry.utf8),
                headers: headers.map {
                    NamedValue(name: Array($0[0].utf8), value: Array($0[1].utf8))
                }
            )
        }
    }

    static let all: [Vector] = Vectors.decode([Vector].self, "template")

    @Test("a template is refused, or renders to the bytes of the vector. [X-1]", arguments: all)
    func agrees(_ vector: Vector) throws {
        let platform = try #require(Platform(rawValue: vector.platform))
        guard let expect = vector.expect else {
            #expect(vector.error == "INVALID_TEMPLATE")
            #expect(throws: TemplateError.self) {
                try CompiledTemplate(vector.definition, platform: platform)
            }
            return
        }
        let template = try CompiledTemplate(vector.definition, platform: platform)
        let bag = try PropertyBag(json: Array(vector.properties.utf8).span)
        let rendered = template.render(bag)
        #expect(String(decoding: rendered.body, as: UTF8.self) == expect.body)
        let headers = rendered.headers.map { [$0.name, $0.value] }
        #expect(headers == expect.headers.map { $0.map { Array($0.utf8) } })
        switch rendered.expiry {
        case .none: #expect(expect.expires == nil)
        case .transient: #expect(expect.expires == "0")
        case .at(let seconds): #expect(expect.expires == String(seconds))
        }
    }

    @Test("there are vectors of both outcomes for each kind of body")
    func covers() {
        #expect(Self.all.count >= 120)
        #expect(Set(Self.all.map(\.platform)).count == 5)
        #expect(Self.all.filter { $0.error != nil }.count >= 45)
    }

    @Test("the limits of templates.md are those in force")
    func limits() {
        let page = Vectors.text("Protocol/templates.md")
        let written = page.split(separator: "\n").filter { $0.contains("Max | ") }.map { row in
            row.split(separator: "|").prefix(2).map { $0.filter { $0 != " " } }.joined(
                separator: " "
            )
        }
        let inForce: [(String, Int)] = [
            ("bodyBytesMax", TemplateLimits.bodyBytesMax),
            ("renderedBytesMax", TemplateLimits.renderedBytesMax),
            ("bagBytesMax", TemplateLimits.bagBytesMax),
            ("depthMax", TemplateLimits.depthMax),
            ("expressionsMax", TemplateLimits.expressionsMax),
            ("tokensMax", TemplateLimits.tokensMax),
            ("attributesMax", TemplateLimits.attributesMax),
            ("propertyNameBytesMax", TemplateLimits.propertyNameBytesMax),
            ("headersMax", TemplateLimits.headersMax),
            ("fieldBytesMax", TemplateLimits.headerFieldBytesMax),
            ("headersBytesMax", CoreLimits.standard.registrations.templateHeadersBytesMax),
            ("lengthMax", TemplateLimits.lengthMax),
        ]
        #expect(written == inForce.map { "\($0.0) \($0.1)" })
    }
}
