import HubClient
import HubVocabulary

// What apps ask of their sessions.
extension Devices {
    func changeChoice() {
        let index = Int(world.below(UInt64(all.count)))
        let slot = UInt16(world.below(3))
        let known = all[index].session.state.choice(slot: slot)
        if known != nil, world.oneIn(2) {
            let add = world.drawTags()
            request(index) { session, now, actions throws(ChoiceError) in
                try session.patchTags(
                    slot: slot,
                    add: add,
                    remove: Formula.tags.filter { !add.contains($0) },
                    now: now,
                    actions: &actions
                )
            }
            return
        }
        let platform = World.platforms[Int(world.below(8) < 6 ? 0 : 1 + world.below(2))]
        var choice = RegistrationChoice(slot: slot, platform: platform, tags: world.drawTags())
        if world.oneIn(3) {
            choice = .template(
                slot: slot,
                platform: platform,
                name: "t",
                body: String(decoding: world.drawTemplate(platform), as: UTF8.self),
                tags: world.drawTags()
            )
        }
        request(index) { session, now, actions throws(ChoiceError) in
            try session.register(choice, now: now, actions: &actions)
        }
    }

    func giveUpSlot() {
        let index = Int(world.below(UInt64(all.count)))
        let slot = UInt16(world.below(3))
        guard all[index].session.state.choice(slot: slot) != nil else { return }
        request(index) { session, now, actions throws(ChoiceError) in
            try session.unregister(slot: slot, now: now, actions: &actions)
        }
    }

    func pause(_ index: Int, _ isOn: Bool) {
        guard all[index].link != nil, all[index].session.isReady else { return }
        all[index].isPaused = isOn
        let usual = all[index].session.configuration
        let isDoze = isOn && world.oneIn(2)
        request(index) { session, now, _ throws(ChoiceError) in
            session.setWindow(
                appState: isDoze ? 3 : 1,
                messages: isOn && !isDoze ? 0 : usual.windowMessages,
                bytes: usual.windowBytes,
                now: now
            )
        }
    }
}
