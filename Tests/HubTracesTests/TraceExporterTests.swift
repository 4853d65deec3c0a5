import Foundation
import HubModel
import HubVocabulary
import Testing

@testable import HubTraces

@Suite("The way to a collector", .timeLimit(.minutes(1)))
struct TraceExporterTests {
    /// A tracer with so many spans.
    private static func tracer(_ count: Int) throws -> Tracer {
        let (tracer, trace) = try TracerTests.begun()
        for number in 0..<count {
            let request = TracedRequest(
                operation: "send",
                status: 201,
                tracking: "t\(number)",
                hub: nil
            )
            tracer.answered(trace, request, at: TracerTests.after(1))
        }
        return tracer
    }

    @Test("is a POST of JSON, in parts of a bounded size, and nothing where nothing waits")
    func exports() async throws {
        try await Collector.run { collector, url in
            let tracer = try Self.tracer(TraceLimits.spansPerRequest + 1)
            let exporter = TraceExporter(tracer, url: url, version: "1")
            let outcome = await exporter.export()
            #expect(outcome.exported == TraceLimits.spansPerRequest + 1 && outcome.dropped == 0)
            #expect(await exporter.export() == TraceExporter.Outcome())
            let bodies = collector.bodies
            #expect(bodies.map(\.type) == ["application/json", "application/json"])
            let spans = try bodies.map { try OTLPShape.spans($0.bytes).count }
            #expect(spans == [TraceLimits.spansPerRequest, 1])
            for body in bodies { #expect(try OTLPShape.problems(body.bytes) == []) }
        }
    }

    @Test(
        "waits for a collector that is busy, and loses nothing",
        arguments: [429, 502, 503, 504]
    )
    func busy(status: Int) async throws {
        try await Collector.run(status) { collector, url in
            let exporter = TraceExporter(try Self.tracer(3), url: url, version: "1")
            #expect(await exporter.export() == TraceExporter.Outcome())
            collector.answer(200)
            #expect(await exporter.export().exported == 3)
        }
    }

    @Test(
        "counts what a collector refuses, and follows it nowhere",
        arguments: [301, 302, 303, 307, 308, 400, 401, 404, 500]
    )
    func refused(status: Int) async throws {
        try await Collector.run(status) { _, url in
            let exporter = TraceExporter(try Self.tracer(3), url: url, version: "1")
            let outcome = await exporter.export()
            #expect(outcome.exported == 0 && outcome.dropped == 3)
            #expect(await exporter.export() == TraceExporter.Outcome())
        }
    }

    @Test("has exported what was taken, however long the answer is", .timeLimit(.minutes(1)))
    func longAnswers() async throws {
        let long = Collector.Body.long(TraceLimits.answerBytes + 1)
        for body in [long, .endless] {
            try await Collector.run(answering: body) { collector, url in
                let exporter = TraceExporter(try Self.tracer(3), url: url, version: "1", within: 1)
                #expect(await exporter.export().exported == 3)
                #expect(await exporter.export() == TraceExporter.Outcome())
                #expect(collector.bodies.count == 1)
            }
        }
    }

    @Test("keeps spans while nothing listens")
    func away() async throws {
        let tracer = try Self.tracer(3)
        // No program listens at the port of the discard service.
        let url = "http://127.0.0.1:9/v1/traces"
        let exporter = TraceExporter(tracer, url: url, version: "1", within: 1)
        #expect(await exporter.export() == TraceExporter.Outcome())
        #expect(tracer.take(10).spans.count == 3)
    }
}
