import HubData
import HubDirectory
import HubModel
import HubQuestions
import HubRelay
import HubVocabulary

/// Carries out what a lane's loop says: asks its hub's writer, and sends over its link.
struct RelayLaneHost: RelayHost {
    let name: LaneName
    let writer: HubWriter
    let link: RelayLink
    let thread: RelayThread

    func askAudiences(of headers: [RecordHeader]) {
        writer.submit(ReadAudiences(name.platform, of: headers)) { [name, thread] in
            thread.post(.audiences($0), to: name)
        }
    }

    func askRows(of tickets: [LaneTicket]) {
        let numbers = tickets.map { RegistrationNumber($0.registration) }
        writer.submit(ReadRelayRows(numbers)) { [name, thread] in
            thread.post(.rows($0, of: tickets), to: name)
        }
    }

    func send(_ request: RelayRequest, for ticket: LaneTicket) {
        Task { [link, name, thread] in
            let answer = await link.send(request, .seconds(RelayLane.answerSeconds))
            thread.post(.answer(answer, to: ticket), to: name)
        }
    }

    func fetchToken(_ request: RelayRequest) {
        Task { [link, name, thread] in
            let answer = await link.send(request, .seconds(RelayLane.answerSeconds))
            thread.post(.token(answer), to: name)
        }
    }

    func store(_ report: LaneReport) {
        writer.submit(report) { [name, thread] result in
            guard case .success(let isStored) = result else { return }
            thread.post(.stored(isStored), to: name)
        }
    }

    func remove(_ number: RegistrationNumber, version: UInt64, _ cause: DepartureCause) {
        writer.submit(RemoveDeadHandle(number, version: version, cause)) { [name, thread] _ in
            thread.post(.removed(number), to: name)
        }
    }

    func tell(_ news: RelayNews) {
        thread.onNews(name, news)
        let cause: String?
        switch news {
        case .rests(let reason): cause = reason.sentence
        case .resumes: cause = nil
        case .malformed: return
        }
        _ = writer.inspect { [platform = name.platform] in $0.relays[platform]?.cause = cause }
    }

    func draw() -> WebPushEncryption.Draw {
        WebPushEncryption.Draw(key: HubKeys.randomBytes(32), salt: HubKeys.randomBytes(16))
    }
}
