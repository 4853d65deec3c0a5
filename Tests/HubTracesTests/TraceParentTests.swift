import Testing

@testable import HubTraces

/// `traceparent` of W3C Trace Context.
@Suite("The caller's part of a trace")
struct TraceParentTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let span = "b7ad6b7169203331"

    @Test("is read with its flag, also from a later version that says more")
    func reads() throws {
        for (text, isSampled) in [
            ("00-\(Self.trace)-\(Self.span)-01", true), ("00-\(Self.trace)-\(Self.span)-00", false),
            ("00-\(Self.trace)-\(Self.span)-03", true),
            ("01-\(Self.trace)-\(Self.span)-01-more", true),
        ] {
            let parent = try #require(TraceParent(Array(text.utf8)), "\(text)")
            #expect(parent.high == 0x0af7_6519_16cd_43dd && parent.low == 0x8448_eb21_1c80_319c)
            #expect(parent.span == 0xb7ad_6b71_6920_3331)
            #expect(parent.isSampled == isSampled, "\(text)")
        }
    }

    @Test(
        "is passed over when it is not of the form",
        arguments: [
            "", "00", "00-\(trace)-\(span)", "00-\(trace)-\(span)-01-more",
            "ff-\(trace)-\(span)-01", "00-\(trace.uppercased())-\(span)-01",
            "00-\(String(repeating: "0", count: 32))-\(span)-01",
            "00-\(trace)-\(String(repeating: "0", count: 16))-01", "00-\(trace)0-\(span)-01",
            "00-\(trace.dropLast())-\(span)-01", "00-\(trace)-\(span)-1", "00-\(trace)-\(span)-0g",
            "00-\(trace)-\(span)x-01", " 00-\(trace)-\(span)-01", "0-\(trace)-\(span)-01",
        ]
    )
    func refuses(text: String) { #expect(TraceParent(Array(text.utf8)) == nil) }
}
