import HubVocabulary

/// The Atom entry of a hub's description, as far as credentials stand in it.
enum HubEntry {
    /// Writes an entry that sets credentials, and removes those without properties.
    static func text(_ credentials: [CredentialEntry]) -> String {
        var text = "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\">"
        text += "<NotificationHubDescription xmlns=\""
        text += "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\">"
        for (element, properties) in credentials {
            text += "<\(element)><Properties>"
            for (name, value) in properties {
                text += "<Property><Name>\(XMLText.escaped(name))</Name>"
                text += "<Value>\(XMLText.escaped(value))</Value></Property>"
            }
            text += "</Properties></\(element)>"
        }
        text += "</NotificationHubDescription></content></entry>"
        return text
    }

    /// The credentials of an entry, which the hub writes on one line.
    static func credentials(in entry: String) -> [CredentialEntry] {
        var found: [CredentialEntry] = []
        var rest = entry[...]
        while let start = rest.firstRange(of: "Credential><Properties>") {
            let element = rest[..<start.lowerBound].split(separator: "<").last.map(String.init)
            rest = rest[start.upperBound...]
            guard let element, let end = rest.firstRange(of: "</Properties>") else { break }
            let properties = rest[..<end.lowerBound].split(separator: "</Property>").compactMap {
                part -> (name: String, value: String)? in
                let text = String(part)
                guard let name = XMLText.content(of: "Name", in: text) else { return nil }
                return (name, XMLText.content(of: "Value", in: text) ?? "")
            }
            found.append(("\(element)Credential", properties))
            rest = rest[end.upperBound...]
        }
        return found
    }
}
