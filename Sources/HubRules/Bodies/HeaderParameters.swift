import HubVocabulary

/// A header's value with parameters, such as `multipart/mixed; boundary = "a b"`.
///
/// Blanks around `=` and `;` mean nothing, values may be quoted, with `\` before a character that
/// stands for itself; what cannot be read is passed over. Source: REST reference §9.2.
struct HeaderParameters {
    /// The text before the first `;`, in lower case.
    let word: [UInt8]
    /// Names in lower case with their values, in the order given.
    let parameters: [NamedValue]

    /// Reads a value; linear in its length.
    init(_ text: [UInt8]) {
        let semicolon = UInt8(ascii: ";")
        var rest = text[...]
        let first = rest.prefix { $0 != semicolon }
        rest = rest.dropFirst(first.count)
        var found: [NamedValue] = []
        while rest.popFirst() != nil {
            let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != semicolon }
            rest = rest.dropFirst(name.count)
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst().drop(while: ASCII.isBlank)
            found.append(
                NamedValue(
                    name: ASCII.lower(ASCII.trimmed(Array(name))),
                    value: Self.takeValue(&rest)
                )
            )
        }
        word = ASCII.lower(ASCII.trimmed(Array(first)))
        parameters = found
    }

    /// The value of a parameter, its name in lower case; of several the first counts.
    func value(_ name: String) -> [UInt8]? {
        parameters.first { $0.name.elementsEqual(name.utf8) }?.value
    }

    /// Consumes a value up to the next `;` outside of quotes.
    private static func takeValue(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        guard rest.first == quote else {
            let plain = rest.prefix { $0 != UInt8(ascii: ";") }
            rest = rest.dropFirst(plain.count)
            return ASCII.trimmed(Array(plain))
        }
        rest = rest.dropFirst()
        var value: [UInt8] = []
        while let byte = rest.popFirst(), byte != quote {
            if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
                value.append(escaped)
            } else {
                value.append(byte)
            }
        }
        rest = rest.drop { $0 != UInt8(ascii: ";") }
        return value
    }
}
