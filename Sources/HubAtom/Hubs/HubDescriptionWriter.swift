package import HubRules
package import HubVocabulary

/// Writes hubs as Atom entries and feeds, on one line, members in the order that readers insist on.
///
/// Source: REST §14.
package enum HubDescriptionWriter {
    /// One hub as a document.
    package static func entry(_ hub: HubDescription, url: String) -> [UInt8] {
        var output = XMLOutput()
        write(hub, url: url, isRoot: true, into: &output)
        return output.bytes
    }

    /// A page of hubs as a document.
    package static func feed(
        _ hubs: [(HubDescription, url: String)],
        page: RegistrationWriter.Page,
        now: Timestamp
    ) -> [UInt8] {
        var output = XMLOutput()
        output.markup("<feed xmlns=\"\(XMLNamespace.atom)\">")
        output.markup("<title type=\"text\">NotificationHubs</title>")
        output.element("id", Array(page.selfURL.utf8))
        output.markup("<updated>\(CivilTime(now).iso)</updated>")
        RegistrationWriter.writeLink("self", page.selfURL, into: &output)
        if let next = page.nextURL { RegistrationWriter.writeLink("next", next, into: &output) }
        for (hub, url) in hubs { write(hub, url: url, isRoot: false, into: &output) }
        output.markup("</feed>")
        return output.bytes
    }

    private static func write(
        _ hub: HubDescription,
        url: String,
        isRoot: Bool,
        into output: inout XMLOutput
    ) {
        output.markup(isRoot ? "<entry xmlns=\"\(XMLNamespace.atom)\">" : "<entry>")
        output.element("id", Array(url.utf8))
        output.markup("<title type=\"text\">")
        output.text(hub.name.description)
        output.markup("</title><published>\(CivilTime(hub.created).iso)</published>")
        output.markup("<updated>\(CivilTime(hub.modified).iso)</updated>")
        RegistrationWriter.writeLink("self", url, into: &output)
        output.markup("<content type=\"application/xml\"><NotificationHubDescription")
        output.markup(" xmlns=\"\(XMLNamespace.connect)\"")
        output.markup(" xmlns:i=\"\(XMLNamespace.instance)\">")
        write(["ApnsCredential"], of: hub, into: &output)
        output.element("RegistrationTtl", text: hub.registrationLife.text)
        write(["WnsCredential"], of: hub, into: &output)
        output.markup("<AuthorizationRules>")
        for rule in hub.rules { write(rule, into: &output) }
        output.markup("</AuthorizationRules>")
        write(["GcmCredential", "MpnsCredential"], of: hub, into: &output)
        output.element("UserMetadata", Array(hub.metadata.utf8))
        write(
            [
                "AdmCredential", "BaiduCredential", "FcmV1Credential", "BrowserCredential",
                "XiaomiCredential",
            ],
            of: hub,
            into: &output
        )
        output.markup("</NotificationHubDescription></content></entry>")
    }

    /// Writes those of some credentials that the hub has; their secrets are masked already.
    private static func write(
        _ elements: [String],
        of hub: HubDescription,
        into output: inout XMLOutput
    ) {
        for element in elements {
            let found = hub.credentials.first { $0.element == element }
            guard let found else { continue }
            output.markup("<\(element)><Properties>")
            for (name, value) in found.properties {
                output.markup("<Property>")
                output.requiredElement("Name", Array(name.utf8))
                output.requiredElement("Value", Array(value.utf8))
                output.markup("</Property>")
            }
            output.markup("</Properties></\(element)>")
        }
    }

    private static func write(_ rule: HubRule, into output: inout XMLOutput) {
        output.markup("<AuthorizationRule i:type=\"SharedAccessAuthorizationRule\">")
        output.markup("<ClaimType>SharedAccessKey</ClaimType><ClaimValue>None</ClaimValue><Rights>")
        for right in rule.rule.rights {
            output.element("AccessRights", Array(right.name.utf8))
        }
        output.markup("</Rights>")
        output.element("CreatedTime", Array(CivilTime(rule.created).isoMilliseconds.utf8))
        output.element("ModifiedTime", Array(CivilTime(rule.modified).isoMilliseconds.utf8))
        output.element("KeyName", Array(rule.rule.name.utf8))
        output.element("PrimaryKey", Array(rule.rule.primaryKey.utf8))
        output.element("SecondaryKey", Array(rule.rule.secondaryKey.utf8))
        output.markup("</AuthorizationRule>")
    }
}
