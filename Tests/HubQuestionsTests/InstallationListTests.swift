import HubDirectory
@testable import HubHarness
import HubModel
import HubVocabulary
import Testing

@Suite("Lists of installations")
struct InstallationListTests {
    private typealias Installed = GivenInstallation

    @Test("lists filter by beginning, tag and platform, page by page")
    func lists() throws {
        var limits = CoreLimits()
        limits.installations.installationScanMax = 4
        for limits in [CoreLimits.standard, limits] {
            let harness = try DirectoryHarness(limits: limits)
            for number in 0..<9 {
                let id = "\(number % 2 == 0 ? "A" : "b")-\(number)"
                let json = Installed.apple(
                    #""userId":"u\#(number % 3)","tags":["all"]"#,
                    id: id,
                    handle: "AB0\(number)"
                )
                let word = number < 5 ? "apns" : "gcm"
                try harness.install(json.replacing("apns", with: word), id: id)
            }
            func ids(_ filter: InstallationFilter) throws -> [String] {
                try harness.installations(filter, limit: 2).map {
                    String(decoding: $0.id, as: UTF8.self)
                }
            }
            #expect(try ids(InstallationFilter()).count == 9)
            #expect(
                try ids(InstallationFilter(prefix: "a-".utf8Bytes))
                    == ["A-0", "A-2", "A-4", "A-6", "A-8"]
            )
            #expect(
                try ids(InstallationFilter(tag: "$UserId:{u1}".utf8Bytes)) == ["b-1", "A-4", "b-7"]
            )
            #expect(try ids(InstallationFilter(tag: "ALL".utf8Bytes, platform: .gcm)).count == 4)
            #expect(try ids(InstallationFilter(tag: "none".utf8Bytes)).isEmpty)
            #expect(try harness.count(InstallationFilter()) == 9)
            #expect(
                try harness.count(InstallationFilter(tag: "all".utf8Bytes, platform: .gcm)) == 4
            )
            #expect(harness.directory.gauges.installations == 9)
        }
    }
}
