import HubVocabulary
import NIOHTTP1

// The hub's description, as administrators of the namespace read and change it.
extension SenderClient {
    /// A credential of a push service: the element's name, and its properties in their order.
    package typealias DescribedCredential = (
        element: String, properties: [(name: String, value: String)]
    )

    /// Reads the credentials of the hub's description; each secret is a mask.
    ///
    /// - Throws: `SenderError`; status 401 for a key that may not manage the hub.
    package func credentials() async throws(SenderError) -> [DescribedCredential] {
        Self.credentials(in: try await read(path: "", query: ""))
    }

    /// Sets credentials of the hub's description, and removes those without properties; returns all.
    ///
    /// `confirmsNewKeys` allows another pair of Web Push keys, which ends every subscription.
    /// - Throws: `SenderError`; status 400 naming the property that is wrong.
    package func change(
        _ credentials: [DescribedCredential],
        confirmsNewKeys: Bool = false
    ) async throws(SenderError) -> [DescribedCredential] {
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
        var headers = HTTPHeaders()
        headers.add(
            name: "Content-Type",
            value: "application/atom+xml;type=entry;charset=utf-8"
        )
        headers.add(name: "If-Match", value: "*")
        if confirmsNewKeys { headers.add(name: "Belfry-Confirm", value: "new-keys") }
        let answer = try await perform(
            .PUT,
            path: "",
            headers: headers,
            body: Array(text.utf8)
        )
        return Self.credentials(in: answer.text)
    }

    /// The credentials of an entry, which the hub writes on one line.
    private static func credentials(in entry: String) -> [DescribedCredential] {
        var found: [DescribedCredential] = []
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
