import Foundation
import HubModel
import HubVocabulary
import Testing

@testable import HubTraces

/// The JSON form of OTLP, as its specification and `trace.proto` publish it.
@Suite("Spans as OTLP in JSON")
struct SpanDocumentTests {
    @Test("have the published names, ids in hex, and times and numbers as strings")
    func shape() throws {
        let (tracer, trace) = try TracerTests.begun()
        let hub = try TracerTests.hub()
        tracer.committed(
            [TracerTests.record(2, trace)],
            of: hub,
            from: TracerTests.after(0),
            until: TracerTests.after(1)
        )
        tracer.answered(
            trace,
            TracedRequest(operation: "send", status: 503, tracking: "a \"b\"/\u{1}", hub: hub),
            at: TracerTests.after(2)
        )
        let document = SpanDocument(tracer.take(10).spans, version: "1.2.3")
        let problems = try OTLPShape.problems(Data(document.bytes))
        #expect(problems == [])
        let spans = try OTLPShape.spans(Data(document.bytes))
        #expect(spans.map { $0["name"] as? String } == ["commit", "send"])
        #expect(spans[1]["traceId"] as? String == "0af7651916cd43dd8448eb211c80319c")
        #expect(spans[1]["parentSpanId"] as? String == "b7ad6b7169203331")
        #expect(spans[0]["parentSpanId"] as? String == spans[1]["spanId"] as? String)
        #expect(spans[1]["startTimeUnixNano"] as? String == "1900000000000000000")
        #expect(spans[1]["endTimeUnixNano"] as? String == "1900000000002000000")
        #expect(spans[1]["kind"] as? Int == 2 && spans[0]["kind"] as? Int == 1)
        #expect((spans[1]["status"] as? [String: Int]) == ["code": 2])
        let facts = OTLPShape.facts(spans[1])
        #expect(facts["http.response.status_code"] == "503" && facts["belfry.hub"] == "hub")
        #expect(facts["belfry.tracking"] == "a \"b\"/\u{1}")
    }

    @Test("leave out the parent of a trace that begins here")
    func root() throws {
        let tracer = Tracer(ratio: 1)
        let trace = try #require(tracer.begin(parent: nil, now: TracerTests.now))
        tracer.answered(
            trace,
            TracedRequest(operation: "send", status: 201, tracking: "t", hub: nil),
            at: TracerTests.after(2)
        )
        let document = SpanDocument(tracer.take(10).spans, version: "1.2.3")
        #expect(try OTLPShape.problems(Data(document.bytes)) == [])
        #expect(try OTLPShape.spans(Data(document.bytes))[0]["parentSpanId"] == nil)
    }

    @Test("the check of the shape sees each mistake")
    func canFail() throws {
        let good = """
            {"resourceSpans":[{"resource":{"attributes":[]},"scopeSpans":[{"scope":{"name":"b",\
            "version":"1"},"spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":\
            "b7ad6b7169203331","flags":1,"name":"n","kind":2,"startTimeUnixNano":"5",\
            "endTimeUnixNano":"6","attributes":[{"key":"k","value":{"intValue":"3"}}],\
            "status":{"code":0}}]}]}]}
            """
        #expect(try OTLPShape.problems(Data(good.utf8)) == [])
        for (part, other) in [
            ("resourceSpans", "resource_spans"), ("0af7651916cd43dd8448eb211c80319c", "Cvdl"),
            ("b7ad6b7169203331", "0000000000000000"), ("\"5\"", "5"), ("\"6\"", "\"4\""),
            ("\"n\"", "\"\""), ("\"kind\":2", "\"kind\":\"SPAN_KIND_SERVER\""), ("\"3\"", "3"),
            ("\"flags\"", "\"flag\""), ("\"code\":0", "\"code\":3"), ("intValue", "integer"),
        ] {
            let text = good.replacingOccurrences(of: part, with: other)
            #expect(try OTLPShape.problems(Data(text.utf8)) != [], "\(part) as \(other)")
        }
    }
}
