package import HubModel
package import HubVocabulary

/// The access rules of a server and what they allow: a value, replaced as a whole when rules change.
///
/// A hub's rules are looked up first, then the namespace's; a rule's first key, then its second.
/// Source: REST reference §3.
package struct AccessPolicies: Sendable {
    private let names: [String]
    private let namespace: [AccessRule]
    private let hubs: [HubName: [AccessRule]]
    private let limits: CoreLimits

    /// Takes the rules of every hub and of the namespace.
    ///
    /// `names` are the hosts by which the server is known; the audience of a token is compared
    /// with them, not with what a client says. With none, the host of each REST request stands in
    /// and no device token is accepted.
    /// - Throws: `.tooManyInRequest` past 12 rules of one level, `.invalid` when a name is there twice.
    package init(
        names: [String],
        namespace: [AccessRule],
        hubs: [HubName: [AccessRule]],
        limits: CoreLimits = .standard
    ) throws(Refusal) {
        try Self.check(namespace, limits: limits)
        for hub in hubs.keys.sorted() { try Self.check(hubs[hub] ?? [], limits: limits) }
        self.names = names
        self.namespace = namespace
        self.hubs = hubs
        self.limits = limits
    }

    /// Whether a hub is known.
    package func has(_ hub: HubName) -> Bool { hubs[hub] != nil }

    /// The rules of a hub in the order given; empty when there is no such hub.
    package func rules(of hub: HubName) -> [AccessRule] { hubs[hub] ?? [] }

    /// Decides a REST request.
    ///
    /// Checks in this order: token present, readable, signed, not expired, audience, hub, right;
    /// so an unknown hub is only told to those who hold a key of the namespace.
    /// - Throws: the refusal of the first check that fails.
    package func authorize(
        _ request: AccessRequest,
        now: Timestamp
    ) throws(Refusal) -> AccessGrant {
        let token = try verify(request.authorization ?? [], hub: request.hub, now: now)
        return try authorize(request, with: token, now: now)
    }

    /// Checks all of a token that does not depend on what is asked for: present, readable, signed
    /// by a rule of the hub or the namespace, not expired, with an audience.
    ///
    /// - Throws: the refusal of the first check that fails.
    package func verify(
        _ header: [UInt8],
        hub: HubName,
        now: Timestamp
    ) throws(Refusal) -> VerifiedToken {
        guard !header.isEmpty else { throw .tokenMissing }
        return try verify(
            try SASToken.parse(header.span),
            among: rules(of: hub) + namespace,
            now: now
        )
    }

    /// Decides a request whose token was verified before, against these rules and for its hub.
    ///
    /// - Throws: the refusal of the first check that fails: expired, audience, hub, right.
    package func authorize(
        _ request: AccessRequest,
        with token: VerifiedToken,
        now: Timestamp
    ) throws(Refusal) -> AccessGrant {
        try decide(
            token,
            hub: request.hub,
            path: Array(request.path.utf8),
            names: names.isEmpty ? [request.host] : names,
            right: request.right,
            user: .request,
            now: now
        )
    }

    /// Decides a request that administers the namespace.
    ///
    /// The rules of the namespace count; those of the hub that the request is about count where
    /// `isOpenToHub` is set. Elsewhere a holder of the hub's key gets `.namespaceRuleNeeded`.
    /// - Throws: the refusal of the first check that fails, as for `authorize`.
    package func authorizeNamespace(
        _ request: NamespaceAccessRequest,
        now: Timestamp
    ) throws(Refusal) -> AccessGrant {
        guard let header = request.authorization, !header.isEmpty else { throw .tokenMissing }
        let parsed = try SASToken.parse(header.span)
        let isOfNamespace = signer(of: parsed, among: namespace) != nil
        let known = namespace + (request.hub.map(rules) ?? [])
        let token = try verify(parsed, among: known, now: now)
        let names = names.isEmpty ? [request.host] : names
        guard token.audience.covers(path: Array(request.path.utf8), names: names) else {
            throw .audienceMismatch
        }
        guard token.grant.has(request.right) else { throw .missingRight(request.right) }
        guard isOfNamespace || request.isOpenToHub else {
            throw .namespaceRuleNeeded(request.right)
        }
        if request.isUse { token.use.mark(.request, at: now) }
        return token.grant
    }

    /// The same with other rules for one hub; nil when there is no such hub any more.
    ///
    /// - Throws: as when they are made.
    package func replacing(
        _ hub: HubName,
        with rules: [AccessRule]?
    ) throws(Refusal) -> AccessPolicies {
        var changed = hubs
        changed[hub] = rules
        return try AccessPolicies(
            names: names,
            namespace: namespace,
            hubs: changed,
            limits: limits
        )
    }

    /// The same with other rules for the namespace.
    ///
    /// - Throws: as when they are made.
    package func replacing(namespace rules: [AccessRule]) throws(Refusal) -> AccessPolicies {
        try AccessPolicies(names: names, namespace: rules, hubs: hubs, limits: limits)
    }

    /// Decides a device's first HELLO: a token with the Listen right that covers the hub or the
    /// whole server.
    ///
    /// - Throws: the refusal of the first check that fails, as for `authorize`.
    package func authorizeDevice(
        token: Span<UInt8>,
        hub: HubName,
        now: Timestamp
    ) throws(Refusal) -> AccessGrant {
        guard !token.isEmpty else { throw .tokenMissing }
        let parsed = try SASToken.parse(token)
        return try decide(
            try verify(parsed, among: rules(of: hub) + namespace, now: now),
            hub: hub,
            path: Array("/\(hub)".utf8),
            names: names,
            right: .listen,
            user: .device,
            now: now
        )
    }

    private func verify(
        _ token: borrowing SASToken,
        among rules: [AccessRule],
        now: Timestamp
    ) throws(Refusal) -> VerifiedToken {
        guard let (rule, use) = signer(of: token, among: rules) else { throw .signatureInvalid }
        guard isCurrent(token.expiry, now) else { throw .tokenExpired }
        guard let audience = Audience(encoded: token.resource) else {
            throw .tokenMalformed(reason: "'sr' is not an address.")
        }
        return VerifiedToken(
            grant: AccessGrant(rule: rule.name, rights: rule.rights),
            expiry: token.expiry,
            audience: audience,
            use: use
        )
    }

    private func isCurrent(_ expiry: Timestamp, _ now: Timestamp) -> Bool {
        now < expiry.adding(seconds: limits.namespace.tokenSkewSeconds)
    }

    private func decide(
        _ token: VerifiedToken,
        hub: HubName,
        path: [UInt8],
        names: [String],
        right: AccessRight,
        user: KeyUse.User,
        now: Timestamp
    ) throws(Refusal) -> AccessGrant {
        guard isCurrent(token.expiry, now) else { throw .tokenExpired }
        guard token.audience.covers(path: path, names: names) else { throw .audienceMismatch }
        guard has(hub) else { throw .hubNotFound(name: hub.description) }
        guard token.grant.has(right) else { throw .missingRight(right) }
        token.use.mark(user, at: now)
        return token.grant
    }

    private func signer(
        of token: borrowing SASToken,
        among rules: [AccessRule]
    ) -> (rule: AccessRule, use: KeyUse)? {
        for rule in rules where rule.name == token.rule {
            let uses = [rule.primaryUse, rule.secondaryUse]
            for (key, use) in zip(rule.signingKeys, uses) where token.isSigned(with: key) {
                return (rule, use)
            }
        }
        return nil
    }

    private static func check(_ rules: [AccessRule], limits: CoreLimits) throws(Refusal) {
        guard rules.count <= limits.namespace.accessRulesMax else {
            throw .tooManyInRequest(what: "access rules", limit: limits.namespace.accessRulesMax)
        }
        for (index, rule) in rules.enumerated()
        where rules[..<index].contains(where: { $0.name == rule.name }) {
            throw .invalid(field: "KeyName", reason: "'\(rule.name)' is there twice")
        }
    }
}
