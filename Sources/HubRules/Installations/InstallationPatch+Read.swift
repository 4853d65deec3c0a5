package import HubModel
package import HubTemplates
package import HubVocabulary

extension InstallationPatch {
    /// Bytes of a path that a refusal repeats.
    private static let shownBytesMax = 250

    /// Reads a patch.
    ///
    /// - Throws: `.invalid` with the number of the operation that is wrong; `.tooManyInRequest`.
    package init(_ value: JSONTree, limits: CoreLimits) throws(Refusal) {
        guard case .array(let elements) = value else {
            throw .invalid(field: "patch", reason: "must be a JSON array of operations")
        }
        let limit = limits.installations.patchOperationsMax
        guard elements.count <= limit else {
            throw .tooManyInRequest(what: "operations of one patch", limit: limit)
        }
        var operations: [Operation] = []
        for (index, element) in elements.enumerated() {
            operations.append(try Self.operation(element, number: index + 1))
        }
        self.init(operations: operations)
    }

    /// The document after all operations; not validated yet.
    ///
    /// - Throws: `.invalid` with the path of the first operation that cannot be carried out.
    package func apply(
        to document: InstallationDocument,
        limits: CoreLimits
    ) throws(Refusal) -> InstallationDocument {
        var changed = document
        for operation in operations { try operation.apply(to: &changed, limits) }
        return changed
    }

    private static func operation(
        _ value: JSONTree,
        number: Int
    ) throws(Refusal) -> Operation {
        let name = "operation \(number)"
        guard case .object = value else {
            throw .invalid(field: name, reason: "must be a JSON object")
        }
        guard case .string(let word)? = value.member("op"),
            let verb = Verb(rawValue: String(decoding: ASCII.lower(word), as: UTF8.self))
        else { throw .invalid(field: "\(name) op", reason: "must be add, remove or replace") }
        guard case .string(let path)? = value.member("path"), path.first == UInt8(ascii: "/"),
            PlainText.isPlain(path.span)
        else { throw .invalid(field: "\(name) path", reason: "must be a path such as /tags") }
        let segments = path.dropFirst().split(
            separator: UInt8(ascii: "/"),
            omittingEmptySubsequences: false
        )
        return Operation(
            verb: verb,
            path: segments.map { unescaped($0) },
            value: value.member("value"),
            shownPath: String(decoding: path.prefix(shownBytesMax), as: UTF8.self)
        )
    }

    /// `~1` is a slash, `~0` a tilde; a tilde before anything else stands for itself.
    private static func unescaped(_ segment: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        var rest = segment
        while let byte = rest.popFirst() {
            switch (byte, rest.first) {
            case (UInt8(ascii: "~"), UInt8(ascii: "0")):
                rest.removeFirst()
                text.append(UInt8(ascii: "~"))
            case (UInt8(ascii: "~"), UInt8(ascii: "1")):
                rest.removeFirst()
                text.append(UInt8(ascii: "/"))
            default: text.append(byte)
            }
        }
        return text
    }
}
