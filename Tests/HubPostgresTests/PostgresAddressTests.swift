import HubPostgres
import Testing

@Suite("Addresses of databases")
struct PostgresAddressTests {
    @Test(
        "a URL names hosts, database and user",
        arguments: [
            ("postgres://a/hub", "postgres://a/hub"),
            ("postgresql://a:5433,b/hub", "postgres://a:5433,b/hub"),
            ("postgres://mara@a,[::1]:5433/hub", "postgres://mara@a,[::1]:5433/hub"),
            ("postgres:///hub?host=/run/pg&port=5433", "postgres:///run/pg:5433/hub"),
            ("postgres://%2Frun%2Fpg:5433/hub", "postgres:///run/pg:5433/hub"),
            ("postgres://a,b/?dbname=hub&port=1,2&user=x", "postgres://x@a:1,b:2/hub"),
            ("postgres:///hub", "postgres://localhost/hub"),
            ("postgres://a/hub?target_session_attrs=read-write", "postgres://a/hub"),
        ]
    )
    func reads(url: String, shown: String) throws {
        #expect(try PostgresAddress(url).description == shown)
    }

    @Test(
        "a URL that leads nowhere is refused with the reason",
        arguments: [
            ("mysql://a/hub", AddressProblem.scheme),
            ("postgres://a", .noDatabase),
            ("postgres://a/", .noDatabase),
            ("postgres://a:0/hub", .port),
            ("postgres://a:65536/hub", .port),
            ("postgres://[::1]x5432/hub", .port),
            ("postgres://a,b/hub?port=1,2,3", .hostsAndPorts),
            ("postgres://a/hub?sslmode", .noValue),
            ("postgres://a/%zz", .encoding),
            ("postgres://a/%00", .encoding),
            ("postgres://a/hub?hostaddr=1.2.3.4", .option("hostaddr")),
            ("postgres://a/hub?service=x", .option("service")),
            ("postgres://a/hub?target_session_attrs=any", .sessionAttributes("any")),
            ("postgres://a/hub?connect_timeout=0", .timeout("0")),
            ("postgres://a/hub?connect_timeout=61", .timeout("61")),
            ("postgres://mara:pass/word@a/hub", .unescaped),
            ("postgres://mara:pass?word@a/hub", .unescaped),
        ]
    )
    func refuses(url: String, problem: AddressProblem) {
        #expect(throws: problem) { try PostgresAddress(url) }
    }

    @Test("seconds to connect are read at both ends of their range", arguments: [1, 60])
    func timeouts(seconds: Int) throws {
        let address = try PostgresAddress("postgres://a/hub?connect_timeout=\(seconds)")
        #expect(address.connectSeconds == seconds)
    }

    @Test("no password is shown, whatever is printed or refused")
    func hidesPasswords() throws {
        let secret = "hunter2"
        let urls = [
            "postgres://mara:\(secret)@a/hub", "postgres://a/hub?password=\(secret)",
            "postgres://a/hub?user=x&sslpassword=\(secret)", "postgres://mara:\(secret)@a",
            "postgres://mara:\(secret)/x@a/hub", "postgres://mara:\(secret)?x@a/hub",
            "postgres://mara:x:\(secret)@a/hub?port=1,2", "postgres://mara:\(secret)/hub",
            "postgres://mara:x/?\(secret)", "postgres://mara:%zz\(secret)@a/hub",
        ]
        for url in urls {
            var said = ""
            do throws(AddressProblem) {
                let address = try PostgresAddress(url)
                said = "\(address)" + String(reflecting: address)
                dump(address, to: &said)
                said += "\(address.password as Any)"
            } catch { said = "\(error)" + String(reflecting: error) }
            #expect(!said.isEmpty && !said.contains(secret), "\(url): \(said)")
        }
    }
}
