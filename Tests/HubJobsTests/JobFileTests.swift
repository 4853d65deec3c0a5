import Foundation
import HubTestSupport
import Testing

@testable import HubJobs

@Suite("Files of a bulk job")
struct JobFileTests {
    @Test("results grow up to their limit, and a line that does not fit is no part of them")
    func limit() throws {
        let folder = TemporaryFolder()
        let jobs = JobFolder(path: folder.path)
        try jobs.begin()
        var file = JobFile(try jobs.making("Output.txt"), bytesMax: 10)
        try file.append(Array("1234".utf8))
        var refused = false
        do throws(JobFailure) {
            try file.append(Array("123456".utf8))
        } catch {
            refused = true
        }
        #expect(refused, "five and seven bytes are two too many")
        let bytes = file.bytes
        #expect(bytes == 5, "what was refused does not count")
        try file.append(Array("1234".utf8))
        try file.finish()
        let whole = file.bytes
        #expect(whole == 10)
        let part = try file.read(at: 0)
        #expect(part == Array("1234\n1234\n".utf8))
        try jobs.publish("Output.txt", in: ["a", "b", "c"])
        let text = try String(contentsOfFile: folder.file("a/b/c/Output.txt"), encoding: .utf8)
        #expect(text == "1234\n1234\n")
        #expect(try folder.mode("a/b") == 0o700)
    }
}
