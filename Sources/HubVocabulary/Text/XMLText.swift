/// As much of XML as answers of the REST API need: elements with text, known by name.
package enum XMLText {
    /// A text as the content of an element or attribute; what XML cannot hold becomes U+FFFD.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\r": result += "&#13;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": result.unicodeScalars.append("\u{FFFD}")
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The text of the first element of a name; nil when there is none.
    package static func content(of name: String, in xml: String) -> String? {
        guard let start = xml.firstRange(of: "<\(name)>"),
            let end = xml[start.upperBound...].firstRange(of: "</\(name)>")
        else { return nil }
        return unescaped(String(xml[start.upperBound..<end.lowerBound]))
    }

    /// The text of the first element that has one of some names, with or without attributes.
    package static func first(of names: [String], in xml: String) -> String? {
        for name in names {
            if let found = content(of: name, in: xml) { return found }
            guard let start = xml.firstRange(of: "<\(name) "),
                let close = xml[start.upperBound...].firstIndex(of: ">"),
                let end = xml[close...].firstRange(of: "</\(name)>")
            else { continue }
            return unescaped(String(xml[xml.index(after: close)..<end.lowerBound]))
        }
        return nil
    }

    private static func unescaped(_ text: String) -> String {
        var result = text
        for (entity, character) in [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#13;", "\r"),
            ("&amp;", "&"),
        ] {
            result = result.split(separator: entity, omittingEmptySubsequences: false)
                .joined(separator: character)
        }
        return result
    }
}
