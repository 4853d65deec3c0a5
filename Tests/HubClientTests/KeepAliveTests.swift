import HubClient
import HubWire
import Testing

@Suite("Keep-alive")
struct KeepAliveTests {
    /// The token of the PING that was just sent.
    private func ping(_ device: ScriptedDevice) -> PingFrame? {
        for frame in device.frames { if case .ping(let ping) = frame { return ping } }
        return nil
    }

    private func pong(_ token: UInt32, hint: UInt16 = 0) -> [UInt8] {
        var bytes: [UInt8] = []
        PongFrame(token: token, hintSeconds: hint, serverTime: 0).encode(into: &bytes)
        return bytes
    }

    @Test("a device pings after the interval and promises the next one")
    func pings() throws {
        let device = ScriptedDevice.ready { $0.keepalive = 100 }
        device.advance(by: .seconds(100) - .milliseconds(1))
        #expect(device.sent.isEmpty)
        device.advance(by: .milliseconds(1))
        #expect(try #require(ping(device)).nextSeconds == 100)
    }

    @Test("any frame of the device puts the next PING off")
    func putOff() {
        let device = ScriptedDevice.ready { $0.keepalive = 100 }
        device.advance(by: .seconds(60))
        device.hub(HubScript.deliver(after: 0, 1))
        device.advance(by: .milliseconds(250))
        #expect(device.frames == [.ack(1)])
        device.advance(by: .seconds(99))
        #expect(device.frames == [.ack(1)])
        device.advance(by: .seconds(1))
        #expect(ping(device) != nil)
    }

    @Test("PING carries what is to be acknowledged")
    func pingAcknowledges() throws {
        let device = ScriptedDevice.ready {
            $0.keepalive = 20
            $0.ackDelay = 255
        }
        device.advance(by: .seconds(19))
        device.hub(HubScript.deliver(after: 0, 1))
        device.advance(by: .seconds(1))
        #expect(try #require(ping(device)).ack == 1)
        device.advance(by: .seconds(5))
        #expect(device.acknowledged == [1])
    }

    @Test("no PONG in time ends the connection, with one attempt at once")
    func pongMissing() {
        let device = ScriptedDevice.ready { $0.keepalive = 100 }
        device.advance(by: .seconds(100))
        device.advance(by: .seconds(WireLimits.pongSecondsMax) - .milliseconds(1))
        #expect(device.departure == nil)
        device.advance(by: .milliseconds(1))
        #expect(device.departure == .pongMissing)
        #expect(device.departure?.advice == .atOnce)
    }

    @Test("a PONG for another PING does not count")
    func wrongPong() throws {
        let device = ScriptedDevice.ready { $0.keepalive = 100 }
        device.advance(by: .seconds(100))
        let token = try #require(ping(device)).token
        device.hub(pong(token &+ 1))
        device.advance(by: .seconds(WireLimits.pongSecondsMax))
        #expect(device.departure == .pongMissing)
    }

    @Test("three good rounds make the interval a minute longer")
    func learns() throws {
        let device = ScriptedDevice.ready { $0.keepalive = 100 }
        var intervals: [UInt16] = []
        for _ in 0..<7 {
            device.forget()
            device.advance(by: .seconds(900))
            let sent = try #require(ping(device))
            intervals.append(sent.nextSeconds)
            device.hub(pong(sent.token))
        }
        #expect(intervals == [100, 100, 100, 160, 160, 160, 220])
    }

    @Test("two failures fall back behind the last good interval, for seven days")
    func fallsBack() {
        var keepAlive = KeepAlive(start: 240, least: 15, most: 900)
        for _ in 0..<3 { keepAlive.succeeded() }
        #expect(keepAlive.intervalSeconds == 300)
        keepAlive.failed(atMilliseconds: 1_000)
        #expect(keepAlive.intervalSeconds == 300)
        keepAlive.failed(atMilliseconds: 1_000)
        #expect(keepAlive.intervalSeconds == 210)
        for _ in 0..<9 { keepAlive.succeeded() }
        #expect(keepAlive.intervalSeconds == 210)
        keepAlive.wake(atMilliseconds: 1_000 + KeepAlive.restMilliseconds - 1)
        #expect(!keepAlive.isProbing)
        keepAlive.wake(atMilliseconds: 1_000 + KeepAlive.restMilliseconds)
        for _ in 0..<3 { keepAlive.succeeded() }
        #expect(keepAlive.intervalSeconds == 270)
    }

    @Test("the interval stays between its bounds and heeds the hub's hint")
    func bounds() {
        var short = KeepAlive(start: 20, least: 15, most: 900)
        for _ in 0..<20 { short.failed(atMilliseconds: 0) }
        #expect(short.intervalSeconds == 15)
        var long = KeepAlive(start: 240, least: 15, most: 900)
        for _ in 0..<60 { long.succeeded() }
        #expect(long.intervalSeconds == 900)
        long.hint(seconds: 120)
        #expect(long.intervalSeconds == 120)
        for _ in 0..<9 { long.succeeded() }
        #expect(long.intervalSeconds == 120)
    }

    @Test("what was learned survives the process")
    func remembered() throws {
        let device = ScriptedDevice.ready { $0.keepalive = 100 }
        for _ in 0..<3 {
            device.forget()
            device.advance(by: .seconds(900))
            device.hub(pong(try #require(ping(device)).token))
        }
        device.hub(HubScript.deliver(after: 0, 1))
        let next = ScriptedDevice(device.store)
        next.open()
        next.hub(HubScript.welcome(.resumed, sequence: 1, check: 1, withKey: false))
        next.forget()
        next.advance(by: .seconds(900))
        #expect(try #require(ping(next)).nextSeconds == 160)
    }

    @Test("a device that pauses says so")
    func window() throws {
        let device = ScriptedDevice.ready()
        try device.ask { session, now, _ throws(ChoiceError) in
            session.setWindow(appState: 3, messages: 8, bytes: 1, now: now)
        }
        let floor = UInt32(WireLimits.windowBytesFloor)
        #expect(device.frames == [.window(WindowFrame(appState: 3, messages: 8, bytes: floor))])
    }
}
