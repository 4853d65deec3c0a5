import HubCluster
import Testing

@Suite("What nodes of a database must have alike")
struct NodeShapeTests {
    private let own = NodeShape(
        release: "0.3.0",
        limits: ["tags.max": "5", "registrations.max": "7"]
    )

    @Test("is written and read in the same order, whatever it holds")
    func text() {
        #expect(own.text == "registrations.max=7\ntags.max=5")
        #expect(NodeShape(release: "0.3.0", text: own.text) == own)
        #expect(NodeShape(release: "", text: "").limits == [:])
        #expect(NodeShape(release: "", text: "a=b=c\nnothing").limits == ["a": "b=c"])
    }

    @Test("differs by its release, then by the first setting with another value")
    func difference() {
        #expect(own.difference(from: own) == nil)
        let older = own.difference(from: NodeShape(release: "0.2.0", limits: [:]))
        #expect(older?.hasPrefix("with release 0.2.0, and this is 0.3.0") == true)
        let other = own.difference(
            from: NodeShape(release: "0.3.0", limits: ["tags.max": "6", "registrations.max": "8"])
        )
        #expect(other?.hasPrefix("with registrations.max = 8, and here it is 7") == true)
        // A leader that says nothing of a setting, or of its release, is no other one.
        #expect(own.difference(from: NodeShape(release: "", limits: ["x": "1"])) == nil)
    }
}
