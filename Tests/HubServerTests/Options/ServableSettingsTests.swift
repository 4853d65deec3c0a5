import Foundation
import HubData
import HubEndpoint
import HubTestSupport
import HubVocabulary
import Testing

@testable import HubServer

@Suite("Settings that a start would refuse", .timeLimit(.minutes(1)))
struct ServableSettingsTests {
    private let place = TemporaryFolder()

    private func problem(_ flags: [String: String]) async throws -> String {
        var all = ["rest.port": "0", "device.port": "0"]
        all.merge(flags) { _, given in given }
        let settings = try await ServerSettings.load(flags: all, environment: [:], data: place.path)
        do throws(ServerError) {
            try ServableSettings.require(settings)
            return ""
        } catch {
            return error.description
        }
    }

    /// A certificate with its key, by the name of the files.
    private func certificate(_ name: String) throws {
        try DataFolder.makeFolder(place.path)
        let (key, file) = (place.file(name + "-key.pem"), place.file(name + ".pem"))
        try Tool.certificate(name, key: key, in: file)
    }

    @Test("are told of their files: certificate, key, authorities, and pairs that do not fit")
    func files() async throws {
        for name in ["a", "b"] { try certificate(name) }
        let (a, b) = (place.file("a.pem"), place.file("b.pem"))
        let (key, other) = (place.file("a-key.pem"), place.file("b-key.pem"))
        let pair = ["certificate": a, "key": key]
        #expect(try await problem(pair.merging(["client.authorities": b]) { $1 }) == "")
        #expect(try await problem(["certificate": a, "key": other]).hasPrefix("certificate: "))
        #expect(try await problem(["certificate": key, "key": a]).contains("a-key.pem"))
        for setting in ["client.authorities", "relay.authority"] {
            #expect(try await problem([setting: b]) == "")
            let missing = try await problem([setting: place.file("none.pem")])
            #expect(missing.hasPrefix("\(setting): ") && missing.hasSuffix("cannot be read"))
            #expect(try await problem([setting: key]).hasPrefix("\(setting): "))
        }
        #expect(
            try await problem(["jobs.urls": "ftp://elsewhere"]).hasPrefix("jobs.urls: ")
        )
    }

    @Test("are told of addresses that are none of this machine's, or that others reach")
    func addresses() async throws {
        #expect(try await problem(["rest.host": "push.example.net"]).hasPrefix("REST listener: "))
        #expect(try await problem(["device.host": "0.0.0.0"]).contains("--confirm-public-bind"))
        let foreign = ["device.host": "192.0.2.1", "confirm.public.bind": "true"]
        #expect(try await problem(foreign).hasPrefix("device listener: "))
    }

    @Test("are told of ports that are taken, but not of those of the folder's own hub")
    func ports() async throws {
        let hub = try await RunningHub()
        let ports = [
            "rest.port": "\(hub.connection.rest.port)",
            "device.port": "\(hub.connection.devices.port)",
        ]
        for (name, port) in ports {
            #expect(try await problem([name: port]).hasSuffix("is in use by another process"))
            let both = try await problem(["rest.port": port, "device.port": port])
            #expect(both == "REST listener: port \(port) is the devices' port too")
        }
        let own = try await ServerSettings.load(
            flags: ports,
            environment: [:],
            data: hub.place.path
        )
        try ServableSettings.require(own)
        try await hub.stop()
    }
}
