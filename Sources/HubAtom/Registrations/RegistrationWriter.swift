package import HubModel
import HubRules
import HubTags
import HubTemplates
package import HubVocabulary

/// Writes registrations as Atom entries and feeds, on one line, as the pickiest readers need them.
///
/// Source: REST §4.12, §4.13.
package enum RegistrationWriter {
    private static let metadata = "http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"

    /// The addresses of a page of a list.
    package struct Page {
        /// The address that was asked for.
        let selfURL: String
        /// The address of the next page; nil on the last one.
        let nextURL: String?

        /// Names both addresses.
        package init(selfURL: String, nextURL: String?) {
            self.selfURL = selfURL
            self.nextURL = nextURL
        }
    }

    /// One registration as a document.
    package static func entry(_ registration: Registration, url: String) -> [UInt8] {
        var output = XMLOutput()
        write(registration, url: url, isRoot: true, into: &output)
        return output.bytes
    }

    /// A page of registrations as a document.
    package static func feed(
        _ registrations: [(Registration, url: String)],
        page: Page,
        now: Timestamp
    ) -> [UInt8] {
        var output = XMLOutput()
        output.markup(
            "<feed xmlns=\"\(XMLNamespace.atom)\"><title type=\"text\">Registrations</title>"
        )
        output.element("id", Array(page.selfURL.utf8))
        output.markup("<updated>\(CivilTime(now).iso)</updated>")
        writeLink("self", page.selfURL, into: &output)
        if let next = page.nextURL { writeLink("next", next, into: &output) }
        for (registration, url) in registrations {
            write(registration, url: url, isRoot: false, into: &output)
        }
        output.markup("</feed>")
        return output.bytes
    }

    /// The description alone, on one line whatever its values hold.
    package static func line(_ registration: Registration) -> [UInt8] {
        var output = XMLOutput(isOneLine: true)
        writeDescription(registration, into: &output)
        return output.bytes
    }

    private static func write(
        _ registration: Registration,
        url: String,
        isRoot: Bool,
        into output: inout XMLOutput
    ) {
        let namespace = isRoot ? " xmlns=\"\(XMLNamespace.atom)\"" : ""
        output.markup("<entry a:etag=\"W/&quot;\(registration.version)&quot;\"\(namespace)")
        output.markup(" xmlns:a=\"\(metadata)\">")
        output.element("id", Array(url.utf8))
        output.markup("<title type=\"text\">")
        output.text(registration.id)
        output.markup("</title><published>\(CivilTime(registration.created).iso)</published>")
        output.markup("<updated>\(CivilTime(registration.modified).iso)</updated>")
        writeLink("self", url, into: &output)
        output.markup("<content type=\"application/xml\">")
        writeDescription(registration, into: &output)
        output.markup("</content></entry>")
    }

    static func writeLink(_ relation: String, _ url: String, into output: inout XMLOutput) {
        output.markup("<link rel=\"\(relation)\" href=\"")
        output.attribute(url)
        output.markup("\"/>")
    }

    private static func writeDescription(
        _ registration: Registration,
        into output: inout XMLOutput
    ) {
        let content = registration.content
        let shape = DescriptionShape(content.platform)
        let name = DescriptionShape.elementName(
            content.platform,
            isTemplate: content.template != nil
        )
        let expires = registration.expires.map(CivilTime.init) ?? .never
        output.markup(
            "<\(name) xmlns=\"\(XMLNamespace.connect)\" xmlns:i=\"\(XMLNamespace.instance)\">"
        )
        output.element("ETag", Array(String(registration.version).utf8))
        output.element("ExpirationTime", Array(expires.isoMilliseconds.utf8))
        output.element("RegistrationId", registration.id)
        output.element("Tags", joined(registration.tags))
        output.element("PushVariables", PushVariables.write(content.pushVariables))
        writeHandle(content, shape, into: &output)
        if shape.hasSecondaryTile {
            output.element("SecondaryTileName", content.secondaryTileName)
        }
        if let template = content.template {
            for member in shape.template {
                write(member, of: template, content, into: &output)
            }
        }
        output.markup("</\(name)>")
    }

    private static func writeHandle(
        _ content: RegistrationContent,
        _ shape: DescriptionShape,
        into output: inout XMLOutput
    ) {
        // Some clients stop at a description that lacks one of these, even an empty one.
        switch shape.handle {
        case .member(let name):
            output.element(
                name,
                OwnHandle.spelled(content.handle, platform: content.platform)
            )
        case .pair(let user, let channel):
            let parts = BaiduHandle(of: content)
            output.requiredElement(user, parts.user)
            output.requiredElement(channel, parts.channel)
        case .withFields(let name, let fields):
            output.element(name, content.handle)
            for field in fields { output.requiredElement(field, value(of: field, in: content)) }
        }
    }

    private static func write(
        _ member: DescriptionShape.TemplateMember,
        of template: TemplateDefinition,
        _ content: RegistrationContent,
        into output: inout XMLOutput
    ) {
        switch member {
        case .body: output.cdataElement("BodyTemplate", template.body)
        case .expiry: output.element("Expiry", template.expiry)
        case .name: output.element("TemplateName", template.name)
        case .priority: output.element("Priority", template.priority)
        case .headers(let word):
            guard !template.headers.isEmpty else { return }
            output.markup("<\(word)Headers>")
            for header in template.headers {
                output.markup("<\(word)Header>")
                output.element("Header", header.name)
                output.element("Value", header.value)
                output.markup("</\(word)Header>")
            }
            output.markup("</\(word)Headers>")
        case .field(let name): output.element(name, value(of: name, in: content))
        }
    }

    private static func value(of field: String, in content: RegistrationContent) -> [UInt8] {
        let name = Array(field.utf8)
        return content.platformFields.first { $0.name == name }?.value ?? []
    }

    /// Comma-joined without blanks.
    ///
    /// Source: REST §4.12.
    private static func joined(_ tags: TagSet) -> [UInt8] {
        var text: [UInt8] = []
        for index in 0..<tags.count {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            text.append(contentsOf: tags.bytes[tags.range(at: index)])
        }
        return text
    }
}
