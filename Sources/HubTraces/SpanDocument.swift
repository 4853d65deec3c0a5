import FoundationEssentials
import HubVocabulary

/// A request to a collector: spans in the JSON form of OTLP.
///
/// Ids are hex digits, times and whole numbers are strings. Source: OTLP, JSON Protobuf Encoding.
struct SpanDocument: Encodable {
    struct ResourceSpans: Encodable {
        let resource: Resource
        let scopeSpans: [ScopeSpans]
    }

    struct Resource: Encodable {
        let attributes: [Fact]
    }

    struct ScopeSpans: Encodable {
        let scope: Scope
        let spans: [Entry]
    }

    struct Scope: Encodable {
        let name: String
        let version: String
    }

    struct Entry: Encodable {
        let traceId: String
        let spanId: String
        let parentSpanId: String?
        let flags = 1
        let name: String
        let kind: Int
        let startTimeUnixNano: String
        let endTimeUnixNano: String
        let attributes: [Fact]
        let status: Status
    }

    struct Status: Encodable {
        /// 0 is unset, 2 an error.
        let code: Int
    }

    struct Fact: Encodable {
        let key: String
        let value: Value
    }

    enum Value: Encodable {
        case stringValue(String)
        case intValue(String)

        private enum Key: String, CodingKey {
            case stringValue, intValue
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            switch self {
            case .stringValue(let text): try container.encode(text, forKey: .stringValue)
            case .intValue(let text): try container.encode(text, forKey: .intValue)
            }
        }
    }

    let resourceSpans: [ResourceSpans]

    /// Spans of a release.
    init(_ spans: [Span], version: String) {
        let own = [
            Fact(key: "service.name", value: .stringValue("belfry")),
            Fact(key: "service.version", value: .stringValue(version)),
        ]
        let scope = Scope(name: "belfry", version: version)
        resourceSpans = [
            ResourceSpans(
                resource: Resource(attributes: own),
                scopeSpans: [ScopeSpans(scope: scope, spans: spans.map(Entry.init))]
            )
        ]
    }

    /// The bytes of the document.
    var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings and whole numbers can always be encoded.
        guard let data = try? encoder.encode(self) else {
            preconditionFailure("strings and numbers can be encoded")
        }
        return Array(data)
    }
}

extension SpanDocument.Entry {
    fileprivate init(_ span: Span) {
        traceId = HexText.digits(span.trace.high) + HexText.digits(span.trace.low)
        spanId = HexText.digits(span.id)
        parentSpanId = span.parent.map { HexText.digits($0) }
        name = span.name
        kind = span.kind.rawValue
        startTimeUnixNano = "\(span.start)"
        endTimeUnixNano = "\(span.end)"
        attributes = span.facts.map { fact in
            switch fact.value {
            case .text(let text): SpanDocument.Fact(key: fact.name, value: .stringValue(text))
            case .number(let number):
                SpanDocument.Fact(key: fact.name, value: .intValue("\(number)"))
            }
        }
        status = SpanDocument.Status(code: span.hasFailed ? 2 : 0)
    }
}
