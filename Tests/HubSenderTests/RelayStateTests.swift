import Foundation
import HubSender
import Testing

@Suite("A relay's state")
struct RelayStateTests {
    private static func state(rate: Double, waiting: Int) throws -> RelayStateAnswer {
        let text = """
            {"answers":1,"behind":0,"credential":"works","deferred":0,"open":1,"place":1,\
            "rate":\(rate),"since":1,"waiting":\(waiting)}
            """
        return try JSONDecoder().decode(RelayStateAnswer.self, from: Data(text.utf8))
    }

    @Test("says how long its open records take, unless none waits or it stands still")
    func left() throws {
        #expect(try Self.state(rate: 2.5, waiting: 10).secondsLeft == 4)
        #expect(try Self.state(rate: 2.5, waiting: 0).secondsLeft == nil)
        #expect(try Self.state(rate: 0, waiting: 10).secondsLeft == nil)
    }
}
