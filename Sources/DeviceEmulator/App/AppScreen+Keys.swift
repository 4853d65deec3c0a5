// The effects of keys.
extension AppScreen {
    /// Takes a key, and says what is to be done.
    package mutating func receive(_ key: Key) -> [Action] {
        if key == .control("c") || key == .control("q") || key == .control("d") { return [.quit] }
        if opened != nil {
            scroll(key)
            return []
        }
        if edit(key) { return [] }
        switch key {
        case .up: move(-1)
        case .down: move(1)
        case .pageUp: move(-10)
        case .pageDown: move(10)
        case .home: move(-Int(Int16.max))
        case .end: move(Int(Int16.max))
        case .tab, .right: turn(1)
        case .backTab, .left: turn(-1)
        case .escape: page = .inbox
        case .enter, .character(" "): return activate(isEnter: key == .enter)
        case .character("q"): return [.quit]
        case .character(let character):
            if let number = character.wholeNumberValue, pages.indices.contains(number - 1) {
                page = pages[number - 1]
            }
        case .paste, .control, .backspace, .delete: break
        }
        return []
    }

    private mutating func scroll(_ key: Key) {
        switch key {
        case .up: opened?.offset -= 1
        case .down: opened?.offset += 1
        case .pageUp: opened?.offset -= 10
        case .pageDown: opened?.offset += 10
        case .escape, .enter, .backspace, .left, .character("q"): opened = nil
        default: break
        }
        if let offset = opened?.offset { opened?.offset = max(0, offset) }
    }

    private mutating func move(_ count: Int) {
        let items = items(on: page)
        guard !items.isEmpty else { return }
        let place = min(max(0, focused + count), items.count - 1)
        if case .entry(let number) = items[place] {
            // At the top the newest is followed.
            selected = place == 0 ? nil : number
        } else {
            focus[page] = place
        }
    }

    private mutating func turn(_ count: Int) {
        let pages = pages
        let place = pages.firstIndex(of: page) ?? 0
        page = pages[(place + count + pages.count) % pages.count]
    }

    /// Gives a key to the field that has the focus; false when there is none that takes it.
    private mutating func edit(_ key: Key) -> Bool {
        switch focusedItem {
        case .recipient: recipient.receive(key)
        case .message: message.receive(key)
        case .sendKey: sendKey.receive(key)
        case .user: name.receive(key)
        case .password: password.receive(key)
        default: false
        }
    }

    // MARK: Switches and buttons

    private mutating func activate(isEnter: Bool) -> [Action] {
        switch focusedItem {
        case .entry(let number):
            var command = PhoneCommand(.open)
            command.number = number
            return perform(command)
        case .category(let category):
            if categories.contains(category) {
                categories.removeAll { $0 == category }
            } else {
                // In the order of the switches, so that the same choice is the same registration.
                categories = NewsChoice.categories.filter {
                    $0 == category || categories.contains($0)
                }
            }
            return []
        case .locale:
            let words = NewsChoice.locales.map(\.word)
            let next = locale.flatMap { words.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
            locale = next < words.count ? words[next] : nil
            return []
        case .platform(let word):
            if switchedOn.remove(word) == nil { switchedOn.insert(word) }
            return []
        case .recipient, .message, .sendKey, .user:
            move(1)
            return []
        case .password: return logIn()
        case .subscribe: return subscribe()
        case .send, .sendSecure, .sendPicture, .sendNews: return send()
        case .logIn: return logIn()
        case .logOut: return perform(PhoneCommand(.logOut))
        case .newHandle: return perform(PhoneCommand(.newHandle))
        case nil: return []
        }
    }

    private mutating func perform(_ command: PhoneCommand) -> [Action] {
        notice = nil
        underWay += 1
        return [.perform(command)]
    }

    private mutating func refuse(_ text: String) -> [Action] {
        notice = Notice(text: text, isGood: false)
        return []
    }

    private mutating func subscribe() -> [Action] {
        guard isLoggedIn || hasListenKey else { return refuse("Log in first.") }
        var command = PhoneCommand(.subscribe, tags: categories)
        command.locale = locale
        return perform(command)
    }

    private mutating func logIn() -> [Action] {
        guard !name.text.isEmpty, !password.text.isEmpty else {
            return refuse("Type a user and a password.")
        }
        return perform(PhoneCommand(.logIn, user: name.text, password: password.text))
    }

    private mutating func send() -> [Action] {
        let item = focusedItem
        if item == .sendNews {
            guard !message.text.isEmpty else { return refuse("Type a message.") }
            guard hasSendKey || !sendKey.text.isEmpty else {
                return refuse("Sending the news needs a send key.")
            }
            var command = PhoneCommand(.sendNews, text: message.text)
            if !sendKey.text.isEmpty { command.key = sendKey.text }
            return perform(command)
        }
        guard isLoggedIn else { return refuse("Log in first.") }
        guard isRegistered else { return refuse("Not registered yet: log in again.") }
        if item == .sendPicture { return perform(PhoneCommand(.sendRich)) }
        guard !recipient.text.isEmpty, !message.text.isEmpty else {
            return refuse("Type a recipient and a message.")
        }
        if item == .sendSecure {
            return perform(
                PhoneCommand(.sendSecure, user: recipient.text, text: message.text)
            )
        }
        let platforms = Self.platforms.filter { switchedOn.contains($0) }
        guard !platforms.isEmpty else { return refuse("Switch a platform on.") }
        return perform(
            PhoneCommand(
                .send,
                user: recipient.text,
                text: message.text,
                platforms: platforms
            )
        )
    }
}
