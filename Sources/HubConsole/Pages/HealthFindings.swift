import HubDoctor
import HubModel
import HubREST
import HubRules
import HubVocabulary

/// The doctor's findings about the hubs that an operator sees, from within the server.
///
/// Folder, disk, machine and settings are looked at by `belfry doctor`.
enum HealthFindings {
    /// Writes them as a section; `nodes` is nil where files hold the hubs.
    static func write(
        _ visit: PageVisit,
        _ nodes: ClusterReport?,
        _ main: inout HTMLOutput
    ) async throws(RequestFailure) {
        var facts = try await facts(visit)
        facts.cluster = nodes.map(ClusterFacts.init)
        let findings = DoctorCheck.all.flatMap { $0.findings(facts) }
        main.section("Findings") { section in
            if findings.isEmpty {
                section.element("p") { $0.state(.good, "Nothing about hubs and keys.") }
            }
            section.element("ul", ["class": "plain"]) { list in
                for finding in findings {
                    list.element("li") { entry in
                        let state: ShownState = finding.severity == .error ? .bad : .waiting
                        entry.state(state, finding.id)
                        entry.text(" ")
                        entry.stranger(finding.text)
                        entry.element("p", ["class": "hint"]) { $0.stranger(finding.remedy) }
                    }
                }
            }
            section.element("p") {
                $0.text("'belfry doctor --data DIR' on the hub's machine looks at folder, disk, ")
                $0.text("settings and certificate too.")
            }
        }
    }

    private static func facts(_ visit: PageVisit) async throws(RequestFailure) -> DoctorFacts {
        let service = visit.console.service
        let server = service.description
        var facts = DoctorFacts(now: visit.now, release: server.version)
        var found = ServerFacts(version: server.version, started: server.started)
        // That scrapers read the numbers concerns the server alone.
        found.numbersRead = visit.session.reachesServer ? server.numbersRead : visit.now
        let hubs = try visit.refusing { () throws(Refusal) in
            try service.hubs(skip: 0, limit: visit.console.limits.rowsPerPage).entries
        }
        let gauges = await HubPages.gauges(service)
        for hub in hubs where visit.session.reaches(hub.name) {
            found.hubs.append(self.facts(hub, gauges[hub.name], visit))
        }
        facts.server = found
        return facts
    }

    private static func facts(
        _ hub: HubDescription,
        _ gauges: DirectoryGauges?,
        _ visit: PageVisit
    ) -> HubFacts {
        var facts = HubFacts(name: hub.name.description)
        if let gauges {
            facts.waiting = gauges.waiting
            facts.undeliverable = gauges.undeliverable
            facts.registrations = gauges.registrations
            facts.connected = gauges.sessions
            facts.relays = gauges.relays.map(RelayFacts.init)
        }
        // Keys are a manager's.
        if visit.may(.manager) { facts.rules = hub.rules.map(RuleFacts.init) }
        return facts
    }
}

extension ClusterFacts {
    fileprivate init(_ report: ClusterReport) {
        self.init(database: report.database)
        fault = report.fault
        guard let standbys = report.standbys else { return }
        synchronousNames = standbys.synchronousNames
        (self.standbys, synchronous) = (standbys.connected, standbys.synchronous)
    }
}

extension RelayFacts {
    fileprivate init(_ relay: RelayReport) {
        self.init(
            platform: relay.platform.format,
            refusal: relay.condition.credential.refusal,
            certificateEnd: relay.condition.certificateEnd
        )
    }
}

extension RuleFacts {
    fileprivate init(_ found: HubRule) {
        let rule = found.rule
        self.init(
            name: rule.name,
            isManaging: rule.rights.contains(.manage),
            primary: Key(made: found.primaryMade, used: rule.primaryUse.last),
            secondary: Key(made: found.secondaryMade, used: rule.secondaryUse.last)
        )
        isUsedByDevices = [rule.primaryUse, rule.secondaryUse].contains { $0.last(.device) != nil }
    }
}
