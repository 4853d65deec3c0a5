import HubModel
import HubVocabulary

// What ends, or begins, because its time has come.

extension HubState {
    // MARK: Lapsing

    /// Returns registrations whose time is over, some per call.
    func takeExpired(now: Timestamp) -> [RegistrationNumber] {
        if lapses.registrations.isStale(live: table.count) {
            lapses.registrations.prune { table.facts(of: $0)?.expires }
        }
        return lapses.registrations.popDue(now: now, looking: terms.limits.log.groupMax) {
            table.facts(of: $0)?.isExpired(now) == true
        }
    }

    /// Returns installations whose time is over, some per call.
    func takeExpiredInstallations(now: Timestamp) -> [InstallationNumber] {
        if lapses.installations.isStale(live: installations.count) {
            lapses.installations.prune { installations[$0]?.expires }
        }
        return lapses.installations.popDue(now: now, looking: terms.limits.log.groupMax) {
            installations[$0]?.isExpired(now) == true
        }
    }

    /// Removes a registration whose time is over; looks at it again when it cannot be read.
    func planExpiry(of number: RegistrationNumber) {
        guard let facts = table.facts(of: number), let expires = facts.expires,
            facts.isExpired(group.time)
        else { return }
        do throws(StoreError) {
            guard let registration = try table[number] else { return }
            depart(registration, .lapsed)
            group.answers.append(.expired(number, expires))
        } catch {
            outbox.tell(.readRefused(error))
            lapses.registrations.insert(expires, number)
        }
    }

    /// As `planExpiry(of:)` of a registration, for an installation.
    func planExpiry(of number: InstallationNumber) {
        guard let installation = installations[number], let expires = installation.expires,
            installation.isExpired(group.time)
        else { return }
        do throws(StoreError) {
            try remove(installation, .lapsed)
            group.answers.append(.installationExpired(number, expires))
        } catch {
            outbox.tell(.readRefused(error))
            lapses.installations.insert(expires, number)
        }
    }

    /// Removes every registration that leads to an idle device, unless it came back meanwhile.
    func planForgetting(_ device: DeviceID) {
        guard devices.isIdle(device, now: group.time) else { return }
        do throws(StoreError) {
            let all = try table.registrations(of: device)
            for registration in all {
                // An installation goes with its own channel; a tile's is only a part of it.
                guard registration.content.secondaryTileName.isEmpty,
                    let installation = installation(of: registration)
                else { continue }
                try remove(installation, .idle)
            }
            for registration in table.registrations(of: device, knowing: all) {
                depart(registration, .idle)
            }
            group.answers.append(.forgotten(device))
        } catch {
            outbox.tell(.readRefused(error))
        }
    }

    // MARK: Schedules

    /// Makes records of what is due, in due order, as many as the group has room for; the rest is
    /// due at the next tick.
    func fireSchedules() {
        while group.records.count < terms.limits.log.groupMax,
            let schedule = schedules.fire(now: group.time)
        {
            append(schedule.draft(firedAt: group.time), schedule: schedule.id)
        }
    }
}
