import HubDirectory
import HubJobs
import HubVocabulary

/// A hub as its bulk jobs see it, for as long as it is open.
struct WriterOfJobs: JobHub {
    weak let writer: HubWriter?

    func submit<Request: HubRequest>(
        _ request: Request,
        reply: @escaping @Sendable (Result<Request.Reply, Refusal>) -> Void
    ) {
        guard let writer else { return reply(.failure(.stopping)) }
        writer.submit(request, reply: reply)
    }
}
