import HubVocabulary

/// Compiles an XML document: attribute values and the text of elements without child elements may
/// be expressions.
///
/// A well-formedness checker of its own, bounded in bytes, depth and attributes, that refuses
/// document types and knows no entities but the predefined ones. Source: rules E.
package struct XMLTemplateCompiler {
    /// The text of the innermost element, while it has no child element.
    struct Leaf {
        /// Decoded text so far.
        var value: [UInt8] = []
        /// Where it stands in the body; comments and instructions lie between.
        var ranges: [Range<Int>] = []
        /// Bytes of the body that `value` was decoded from.
        var rawCount = 0
    }

    let body: [UInt8]
    var position = 0
    var builder: TemplateProgramBuilder
    /// Names of open elements, outermost first.
    var open: [Range<Int>] = []
    var leaf: Leaf?
    /// The attribute whose value is being compiled.
    var attribute: Range<Int>?
    /// Name of the root element.
    private(set) var root: Range<Int>?
    /// Name of the root's first child element.
    private(set) var firstChild: Range<Int>?

    /// A compiled document: its program, and the names that tell its kind.
    struct Document {
        var program: TemplateProgram
        /// Name of the root element, with its prefix.
        var root: [UInt8]
        /// Name of the root's first child element; nil for none.
        var firstChild: [UInt8]?
    }

    /// Refuses what is no well-formed document; nothing in it is an expression.
    package static func check(_ body: [UInt8]) throws(TemplateError) {
        _ = try compile(body, takesExpressions: false)
    }

    /// The program of `body`, copied byte for byte but for its expressions.
    static func compile(
        _ body: [UInt8],
        takesExpressions: Bool = true
    ) throws(TemplateError) -> Document {
        if let offset = TextBytes.invalidUTF8Offset(body.span) {
            throw TemplateError(offset: offset, fault: .notUTF8)
        }
        if let offset = XMLNames.invalidCharacterOffset(body) {
            throw TemplateError(offset: offset, fault: .xml(.characterInvalid))
        }
        var compiler = XMLTemplateCompiler(body, takesExpressions: takesExpressions)
        do throws(TemplateError) {
            try compiler.run()
        } catch {
            var located = error
            located.path = compiler.path
            throw located
        }
        return Document(
            program: compiler.builder.finish(),
            root: Array(body[compiler.root ?? 0..<0]),
            firstChild: compiler.firstChild.map { Array(body[$0]) }
        )
    }

    private init(_ body: [UInt8], takesExpressions: Bool) {
        self.body = body
        builder = TemplateProgramBuilder(source: body, takesExpressions: takesExpressions)
    }

    private mutating func run() throws(TemplateError) {
        if starts(with: "\u{FEFF}") { position += 3 }
        if starts(with: "<?xml"), position + 5 < body.count, ASCII.isBlank(body[position + 5]) {
            try parseDeclaration()
        }
        while position < body.count {
            if body[position] == UInt8(ascii: "<") {
                try parseMarkup()
            } else if open.isEmpty {
                guard ASCII.isBlank(body[position]) else { throw fault(.textOutsideRoot) }
                position += 1
            } else {
                try parseText()
            }
        }
        guard root != nil else { throw fault(.rootMissing) }
        guard open.isEmpty else { throw fault(.unexpectedEnd) }
    }

    private mutating func parseMarkup() throws(TemplateError) {
        if starts(with: "</") {
            try parseEndTag()
        } else if starts(with: "<!--") {
            try parseComment()
        } else if starts(with: "<![CDATA[") {
            try parseSection()
        } else if starts(with: "<!DOCTYPE") {
            throw fault(.documentType)
        } else if starts(with: "<!") {
            throw fault(.tagMalformed)
        } else if starts(with: "<?") {
            try parseInstruction()
        } else {
            try parseStartTag()
        }
    }

    /// Opens an element whose name has just been read.
    mutating func enter(_ name: Range<Int>) throws(TemplateError) {
        if open.isEmpty {
            guard root == nil else { throw fault(.rootNotAlone, at: name.lowerBound) }
            root = name
        } else if open.count == 1, firstChild == nil {
            firstChild = name
        }
        guard open.count < TemplateLimits.depthMax else {
            throw fault(.tooDeep, at: name.lowerBound)
        }
        open.append(name)
        leaf = Leaf()
    }

    /// Closes the innermost element; compiles its text when it has had no child element.
    mutating func leave() throws(TemplateError) {
        defer { leaf = nil }
        if let leaf, let first = leaf.ranges.first {
            let isExpression = try builder.replace(
                first,
                with: leaf.value,
                as: .xmlText,
                offset: first.lowerBound,
                rawCount: leaf.rawCount
            )
            if isExpression { for range in leaf.ranges.dropFirst() { builder.drop(range) } }
        }
        open.removeLast()
    }

    func starts(with text: String) -> Bool {
        body[position...].starts(with: text.utf8)
    }

    func fault(_ fault: XMLFault, at offset: Int? = nil) -> TemplateError {
        TemplateError(offset: offset ?? position, fault: .xml(fault))
    }

    /// `text` or `text@id`, at most 200 bytes.
    private var path: String {
        var path = open.last.map { Array(body[$0]) } ?? []
        if let attribute { path += [UInt8(ascii: "@")] + body[attribute] }
        return String(decoding: path.prefix(200), as: UTF8.self)
    }
}
