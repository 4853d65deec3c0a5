import HubClient

// Arriving notifications: they are fetched a few at a time, and shown in the order in which they
// came, beside everything else that the app does.
extension PhoneApp {
    /// Takes a notification, whose turn comes when all before it have been shown.
    func arrived(_ notification: ReceivedNotification) {
        let entry = InboxEntry(notification, user: memory.user)
        // Shown before the last end, but the device did not learn of it any more.
        let isKnown = inbox.holds(entry.notification, slot: entry.slot)
        // A notification to a user who has left has no reader.
        let isNobodys = entry.isPersonal && configuration.backend != nil && memory.user == nil
        let isOver = isKnown || isNobodys
        if !isOver { show(.push(PhoneLine.Push(notification))) }
        arrivals.append(
            Arrival(
                notification: notification,
                entry: entry,
                push: SilentPush(payload: notification.text ?? ""),
                isOver: isOver
            )
        )
        advance()
    }

    /// Gives up what has not been shown; the device gives it again.
    func dropArrivals() async {
        let works = arrivals.compactMap(\.work)
        for work in works { work.cancel() }
        arrivals = []
        turns?.cancel()
        await turns?.value
        turns = nil
        for work in works { _ = await work.value }
    }

    private func advance() {
        for index in arrivals.indices.prefix(FetchLimits.countMax) where arrivals[index].work == nil
        {
            let arrival = arrivals[index]
            arrivals[index].work = Task { [weak self] in
                await self?.fetch(arrival) ?? .nothing
            }
        }
        guard turns == nil, !arrivals.isEmpty else { return }
        turns = Task { [weak self] in await self?.takeTurns() }
    }

    private func takeTurns() async {
        var problem: String?
        while let work = arrivals.first?.work {
            let fetched = await work.value
            guard !Task.isCancelled, let arrival = arrivals.first else { return }
            do throws(PhoneFault) {
                try tell(fetched, arrival)
            } catch {
                if problem != error.description {
                    show(.problem(error.description))
                }
                problem = error.description
                // `taken` covers all before it too, so this one is tried until it is kept.
                guard !isLeaving else { break }
                // Fails if cancelled.
                try? await Task.sleep(for: .seconds(FetchLimits.keepAgainSeconds))
                guard !Task.isCancelled else { return }
                continue
            }
            arrivals.removeFirst()
            device.client?.taken(arrival.notification)
            advance()
        }
        turns = nil
    }

    // MARK: Fetching

    private func fetch(_ arrival: Arrival) async -> Fetched {
        guard !arrival.isOver else { return .nothing }
        switch arrival.push {
        case nil:
            let payload = arrival.notification.text ?? ""
            return .text(AlertText.read(payload) ?? payload)
        case .unknownType:
            show(.fetch(PhoneLine.Fetch(outcome: .noData)))
            return .nothing
        case .rich(let id, let message, _): return await fetchRich(id, message)
        case .secure(let id):
            let outcome = await secureFetch(id)
            // A task that gives up has not failed.
            guard !Task.isCancelled else { return .nothing }
            if case .served(let payload) = outcome {
                show(.fetch(PhoneLine.Fetch(outcome: .newData)))
                return .secure(id: id, payload: payload)
            }
            show(.fetch(PhoneLine.Fetch(outcome: .failed)))
            return .locked(id: id)
        }
    }

    private func fetchRich(_ id: Int, _ message: String) async -> Fetched {
        let exchange = try? await fetched(id)  // Told as a fetch that failed.
        guard !Task.isCancelled else { return .nothing }
        guard let exchange, exchange.status == 200 else {
            show(.fetch(PhoneLine.Fetch(outcome: .failed)))
            return .nothing
        }
        let content = PhoneLine.FetchedContent(id, exchange)
        show(.fetch(PhoneLine.Fetch(outcome: .newData, content: content)))
        if !configuration.isInForeground {
            // Who is woken early gives up.
            try? await Task.sleep(for: configuration.backgroundDelay)
        }
        return .rich(id: id, message: message, exchange)
    }

    /// The backend's answer about content; one that has no room for it now is asked again.
    func fetched(_ id: Int) async throws(PhoneFault) -> BackendExchange {
        var asked = 0
        while true {
            let exchange = try await askAsUser(
                "GET",
                "/api/notifications/\(id)",
                seconds: FetchLimits.seconds
            )
            asked += 1
            guard [429, 503].contains(exchange.status), asked < FetchLimits.asksMax,
                !Task.isCancelled
            else { return exchange }
            // A task that is woken early asks once more and gives up.
            try? await Task.sleep(for: .seconds(FetchLimits.askAgainSeconds))
        }
    }
}
