import HubVocabulary

/// The operations that expressions apply to a property's text.
///
/// Source: REST reference §7.3.
enum TextTransform {
    /// Whether `value` is a JSON number: `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`.
    static func isNumber(_ value: ArraySlice<UInt8>) -> Bool {
        var rest = value
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let whole = dropDigits(&rest)
        guard whole > 0, whole == 1 || value[rest.startIndex - whole] != UInt8(ascii: "0")
        else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard dropDigits(&rest) > 0 else { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
                rest.removeFirst()
            }
            guard dropDigits(&rest) > 0 else { return false }
        }
        return rest.isEmpty
    }

    private static func dropDigits(_ rest: inout ArraySlice<UInt8>) -> Int {
        let count = rest.prefix(while: ASCII.isDigit).count
        rest = rest.dropFirst(count)
        return count
    }
}
