import DeviceEmulator

// The effects of keys.
extension AppScreen {
    /// Takes a key, and says what is to be done.
    package mutating func receive(_ key: Key) -> [Action] {
        if key == .control("c") || key == .control("q") || key == .control("d") { return [.quit] }
        if key == .control("r") { return link == .connected ? [] : [.reconnect] }
        // A good notice has been read by then.
        if notice?.isGood == true { notice = nil }
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
        case .user where login.attempt != nil, .password where login.attempt != nil:
            Self.isText(key)
        case .recipient: draft.recipient.receive(key)
        case .message: draft.message.receive(key)
        case .sendKey: draft.sendKey.receive(key)
        case .user: login.name.receive(key)
        case .password: login.password.receive(key)
        default: false
        }
    }

    /// Whether a key changes the text of a field.
    private static func isText(_ key: Key) -> Bool {
        switch key {
        case .character, .paste, .backspace, .delete, .control: true
        case .enter, .tab, .backTab, .escape, .up, .down, .left, .right, .pageUp, .pageDown, .home,
            .end:
            false
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
            var chosen = news
            if chosen.categories.contains(category) {
                chosen.categories.removeAll { $0 == category }
            } else {
                // In the order of the switches, so that the same choice is the same registration.
                chosen.categories = NewsChoice.categories.filter {
                    $0 == category || chosen.categories.contains($0)
                }
            }
            return subscribe(chosen)
        case .locale:
            let words = NewsChoice.locales.map(\.word)
            let next = news.locale.flatMap { words.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
            var chosen = news
            chosen.locale = next < words.count ? words[next] : nil
            return subscribe(chosen)
        case .platforms:
            draft.showsPlatforms.toggle()
            return []
        case .platform(let word):
            if draft.switchedOn.remove(word) == nil { draft.switchedOn.insert(word) }
            return []
        case .recipient, .user:
            move(1)
            return []
        case .message, .sendKey: return send()
        case .password: return logIn()
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

    /// Saves a choice of news at once.
    private mutating func subscribe(_ chosen: News) -> [Action] {
        guard login.isLoggedIn || facts.hasListenKey else { return refuse("Log in first.") }
        news = chosen
        var command = PhoneCommand(.subscribe, tags: chosen.categories)
        command.locale = chosen.locale
        return perform(command)
    }

    private mutating func logIn() -> [Action] {
        guard login.attempt == nil else { return refuse("The backend still checks the login.") }
        let (name, password) = (login.name.text, login.password.text)
        guard !name.isEmpty, !password.isEmpty else {
            return refuse("Type a user and a password.")
        }
        login.attempt = Attempt(password: login.password, ahead: underWay)
        login.password = TextField(isHidden: true)
        return perform(PhoneCommand(.logIn, user: name, password: password))
    }

    private mutating func send() -> [Action] {
        let item = focusedItem
        if item == .sendNews || item == .sendKey || !facts.hasBackend { return sendNews() }
        guard login.isLoggedIn else { return refuse("Log in first.") }
        guard login.isRegistered else {
            return refuse("Not registered yet: try again, or log in again.")
        }
        if item == .sendPicture { return perform(PhoneCommand(.sendRich)) }
        let (recipient, message) = (draft.recipient.text, draft.message.text)
        guard !recipient.isEmpty, !message.isEmpty else {
            return refuse("Type a recipient and a message.")
        }
        if item == .sendSecure {
            return perform(PhoneCommand(.sendSecure, user: recipient, text: message))
        }
        let platforms = Draft.platforms.filter { draft.switchedOn.contains($0) }
        guard !platforms.isEmpty else { return refuse("Switch a platform on.") }
        return perform(
            PhoneCommand(.send, user: recipient, text: message, platforms: platforms)
        )
    }

    private mutating func sendNews() -> [Action] {
        guard !draft.message.text.isEmpty else { return refuse("Type a message.") }
        guard facts.hasSendKey || !draft.sendKey.text.isEmpty else {
            if focusedItem == .message { move(1) }
            return refuse("Sending the news needs a send key.")
        }
        var command = PhoneCommand(.sendNews, text: draft.message.text)
        if !draft.sendKey.text.isEmpty { command.key = draft.sendKey.text }
        return perform(command)
    }
}
