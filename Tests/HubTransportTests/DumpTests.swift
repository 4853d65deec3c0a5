import HubTransport
import Testing

@Suite("Core dumps")
struct DumpTests {
    @Test("hold no keys of a process that forbids them")
    func forbidden() async {
        await #expect(processExitsWith: .success) {
            #expect(ProcessMemory.allowsDumps)
            #expect(ProcessMemory.forbidDumps())
            #expect(!ProcessMemory.allowsDumps)
        }
    }
}
