/// Compiles a JSON object: every string value at any depth may be an expression, keys never.
struct JSONTemplateCompiler {
    /// Where the scanner is: the members or elements passed on the way, outermost first.
    private struct Level {
        var isObject: Bool
        var key = 0..<0
        var index = -1
    }

    private let body: [UInt8]
    private var builder: TemplateProgramBuilder
    private var levels: [Level] = []

    /// The program of `body`, whose leaves are copied byte for byte unless they are expressions.
    static func compile(_ body: [UInt8]) throws(TemplateError) -> TemplateProgram {
        var compiler = JSONTemplateCompiler(body)
        do throws(TemplateError) {
            try compiler.run()
        } catch {
            var located = error
            located.path = compiler.path
            throw located
        }
        return compiler.builder.finish()
    }

    private init(_ body: [UInt8]) {
        self.body = body
        builder = TemplateProgramBuilder(source: body)
    }

    private mutating func run() throws(TemplateError) {
        let body = body
        var scanner: JSONScanner
        do throws(JSONTextError) {
            scanner = try JSONScanner(body.span, depthMax: TemplateLimits.depthMax)
        } catch {
            throw Self.located(error)
        }
        while true {
            let event: JSONEvent
            do throws(JSONTextError) {
                event = try scanner.next()
            } catch {
                throw Self.located(error)
            }
            if levels.isEmpty, event != .beginObject, event != .end {
                throw TemplateError(fault: .json(.notAnObject))
            }
            switch event {
            case .end: return
            case .endObject, .endArray:
                levels.removeLast()
                continue
            case .key(let range):
                levels[levels.count - 1].key = range
                continue
            case .beginObject, .beginArray, .string, .number, .boolean, .null: break
            }
            if let last = levels.indices.last { levels[last].index += 1 }
            switch event {
            case .beginObject: levels.append(Level(isObject: true))
            case .beginArray: levels.append(Level(isObject: false))
            case .string(let range): try compileLeaf(range)
            default: break
            }
        }
    }

    private mutating func compileLeaf(_ range: Range<Int>) throws(TemplateError) {
        let value = JSONText.decode(range, of: body.span)
        _ = try builder.replace(
            range.lowerBound - 1..<range.upperBound + 1,
            with: value,
            as: .jsonValue,
            offset: range.lowerBound,
            rawCount: range.count
        )
    }

    /// `aps.alert[0]`, at most 200 bytes.
    private var path: String {
        var path: [UInt8] = []
        for level in levels where level.index >= 0 || !level.key.isEmpty {
            if level.isObject {
                if !path.isEmpty { path.append(UInt8(ascii: ".")) }
                path.append(contentsOf: body[level.key])
            } else {
                path.append(contentsOf: "[\(level.index)]".utf8)
            }
        }
        return String(decoding: path.prefix(200), as: UTF8.self)
    }

    private static func located(_ error: JSONTextError) -> TemplateError {
        TemplateError(offset: error.offset, fault: .json(error.fault))
    }
}
