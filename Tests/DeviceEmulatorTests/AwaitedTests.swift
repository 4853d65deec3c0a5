import Testing

@testable import DeviceEmulator

@Suite("Values that tasks wait for")
struct AwaitedTests {
    @Test("a condition that holds already is not waited for")
    func already() async {
        let number = Awaited(1)
        #expect(await number.wait { $0 == 1 })
        #expect(await number.wait(upTo: .zero) { $0 == 1 })
    }

    @Test("each waiter goes on with the change that it waits for")
    func changes() async {
        let number = Awaited(0)
        async let third = number.wait { $0 == 3 }
        async let first = number.wait { $0 >= 1 }
        number.change { $0 = 1 }
        #expect(await first)
        number.change { $0 = 2 }
        number.change { $0 = 3 }
        #expect(await third)
        #expect(number.value == 3)
    }

    @Test("a wait ends with its time, also when that is over at once")
    func timeout() async {
        let number = Awaited(0)
        #expect(await !number.wait(upTo: .milliseconds(20)) { $0 == 1 })
        #expect(await !number.wait(upTo: .zero) { $0 == 1 })
        number.change { $0 = 1 }
        #expect(await number.wait { $0 == 1 })
    }

    @Test("a wait ends with its task")
    func cancelled() async {
        let number = Awaited(0)
        let waiting = Task { await number.wait { $0 == 1 } }
        waiting.cancel()
        #expect(await !waiting.value)
    }

    @Test("lines end the wait for what they do not say")
    func lines() async {
        let log = LineLog()
        async let first = log.wait(.seconds(60)) { $0 == ["a"] }
        log.append("a")
        #expect(await first)
        async let never = log.wait(.seconds(60)) { $0.contains("b") }
        log.finish()
        #expect(await !never)
        #expect(await log.wait(.seconds(60)) { $0.count == 1 })
    }
}
