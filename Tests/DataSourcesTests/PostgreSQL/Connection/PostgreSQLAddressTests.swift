import DataSourceContracts
import Testing

@testable import DataSourcesPostgreSQL

@Suite("A PostgreSQL address is parsed, described without its password and tried host by host")
struct PostgreSQLAddressTests {
    @Test(
        "the description has no password",
        arguments: [
            ("postgresql://ann:secret@db.example/hoga", "postgresql://ann@db.example/hoga"),
            ("postgres://ann:secret@a:1,b:2/hoga", "postgresql://ann@a:1,b:2/hoga"),
            ("postgresql://a,b:7/hoga?password=secret", "postgresql://a,b:7/hoga"),
            ("host=a,b port=7 password=secret dbname=x", "postgresql://a:7,b:7/x"),
            (
                "postgresql://ann@[::1]:6432/hoga?sslmode=require",
                "postgresql://ann@[::1]:6432/hoga"
            ),
            ("host=/run/postgresql user=ann", "postgresql://ann@/run/postgresql"),
        ]
    )
    func descriptions(text: String, description: String) throws {
        let address = try PostgreSQLAddress(text)
        #expect("\(address)" == description)
        #expect(!String(reflecting: address).contains("secret"))
    }

    @Test(
        "an invalid address is refused without repeating it",
        arguments: [
            "", "secret", "http://secret@a/", "postgresql://a/?secret=1", "host=a secret",
            "a=\u{0}",
            "postgresql://ann:secret%zz@a/b",
            // Passwords with characters that separate the parts of an address.
            "postgresql://svc:secret/SECRET@127.0.0.1:5432/db", "postgresql://svc:s3c@secret@h/db",
            "postgresql://svc:secret", "postgresql://svc:12/secret@h/db",
            "postgresql://svc:12/secret?x=1@h/db", "postgresql://svc:12/secret:x/db",
            "postgresql://h/d?password=x@secret", "postgres://svc/secret@h/db",
            "postgresql://h:1/d\nsecret", "host=h port=secret", "host=x@secret",
            // Values that would be refused on connecting.
            "postgresql://h/d?sslmode=secret", "postgresql://h:70000/secret", "host=a,b port=1,2,3",
            "host=a,b hostaddr=10.0.0.1", "postgresql://h/d?connect_timeout=secret",
            "host=h target_session_attrs=secret", "postgresql://h:0/secret",
        ]
    )
    func refusals(text: String) {
        let error = #expect(throws: StoreError.self) { try PostgreSQLAddress(text) }
        #expect(error?.code == .refused)
        #expect(error?.detail.contains("secret") == false)
    }

    @Test(
        "reserved characters of a password are percent-decoded in URLs",
        arguments: [
            ("postgresql://svc:TOP%2FSECRET@h:1/db", "TOP/SECRET"),
            ("postgresql://svc:s3c%40ret@h:1/db", "s3c@ret"),
            ("postgresql://svc:a:b%3Fc@h:1/db", "a:b?c"),
            ("postgresql://svc@h:1/db?password=a%26b", "a&b"),
            ("host=h port=1 dbname=db user=svc password=a/b@c", "a/b@c"),
        ]
    )
    func passwords(text: String, password: String) throws {
        let address = try PostgreSQLAddress(text)
        #expect("\(address)" == "postgresql://svc@h:1/db")
        let attempts = address.attempts(applicationName: "hoga", silenceMax: .seconds(1))
        #expect(attempts.map { $0["password"] } == [password])
    }

    @Test(
        "traffic with another machine is protected only if the certificate is verified",
        arguments: [
            ("postgresql:///hoga", .local), ("host=/run/postgresql", .local),
            ("postgresql://localhost/hoga?sslmode=disable", .local),
            ("postgresql://127.0.0.1,[::1]/hoga", .local),
            ("host=db.example hostaddr=127.0.0.1", .local),
            ("postgresql://db.example/hoga", .unverified(mode: "prefer")),
            ("postgresql://localhost,db.example/hoga", .unverified(mode: "prefer")),
            ("host=localhost hostaddr=10.0.0.1", .unverified(mode: "prefer")),
            ("postgresql://db.example/hoga?sslmode=require", .unverified(mode: "require")),
            ("postgresql://db.example/hoga?sslmode=disable", .unverified(mode: "disable")),
            ("postgresql://db.example/hoga?sslmode=verify-ca", .verified),
            ("postgresql://db.example/hoga?sslmode=verify-full", .verified),
        ] as [(String, PostgreSQLAddress.Protection)]
    )
    func protection(text: String, protection: PostgreSQLAddress.Protection) throws {
        #expect(try PostgreSQLAddress(text).protection == protection)
    }

    @Test("failures of all hosts are reported, and the remedy once")
    func failures() throws {
        let address = try PostgreSQLAddress("postgresql://ann:secret@a:1,b:2/hoga")
        let failures = [
            StoreError.away("it did not answer", at: "\(address)"),
            StoreError.away("it refused", at: "\(address)"),
        ]
        #expect(
            StoreError.joining(failures, of: address.hostNames, at: "\(address)")
                == StoreError(
                    .unavailable,
                    "postgresql://ann@a:1,b:2/hoga: a:1: it did not answer; "
                        + "b:2: it refused: check that the server runs"
                )
        )
        let one = StoreError.joining([failures[0]], of: ["a:1"], at: "\(address)")
        #expect(one == failures[0])
    }

    @Test("with prefer-standby each host is tried as a standby before any is tried as a primary")
    func preferStandby() throws {
        func attempts(_ address: PostgreSQLAddress) -> [String] {
            address.attempts(applicationName: "hoga", silenceMax: .seconds(1)).map {
                "\($0["host"] ?? ""):\($0["port"] ?? "") \($0["target_session_attrs"] ?? "")"
            }
        }
        let two = try PostgreSQLAddress("postgresql://a:1,b:2/hoga").preferringStandbys()
        #expect(attempts(two) == ["a:1 standby", "b:2 standby", "a:1 any", "b:2 any"])
        let one = try PostgreSQLAddress("postgresql://a:1/hoga").preferringStandbys()
        #expect(attempts(one) == ["a:1 prefer-standby"])
        let told = try PostgreSQLAddress("postgresql://a:1,b:2/hoga?target_session_attrs=standby")
        #expect(attempts(told.preferringStandbys()) == ["a:1 standby", "b:2 standby"])
    }

    @Test(
        "an address is read-only if it accepts no server that takes changes",
        arguments: [
            ("", false), ("read-write", false), ("primary", false), ("any", false),
            ("prefer-standby", false), ("standby", true), ("read-only", true),
        ]
    )
    func readOnly(attributes: String, isReadOnly: Bool) throws {
        let text =
            "postgresql://a,b/hoga"
            + (attributes.isEmpty ? "" : "?target_session_attrs=\(attributes)")
        #expect(try PostgreSQLAddress(text).isReadOnly == isReadOnly)
    }

    @Test("each host is one attempt; with several hosts a writable server is required")
    func attempts() throws {
        func attempts(_ text: String) throws -> [[String: String]] {
            try PostgreSQLAddress(text)
                .attempts(applicationName: "hoga", silenceMax: .milliseconds(1_500))
        }
        let two = try attempts("postgresql://ann:secret@a:1,b:2/hoga?application_name=mine")
        #expect(two.map { $0["host"] } == ["a", "b"])
        #expect(two.map { $0["port"] } == ["1", "2"])
        #expect(two.allSatisfy { $0["target_session_attrs"] == "read-write" })
        #expect(two.allSatisfy { $0["password"] == "secret" && $0["dbname"] == "hoga" })
        #expect(two.allSatisfy { $0["application_name"] == "mine" })
        #expect(two.allSatisfy { $0["tcp_user_timeout"] == "1500" && $0["keepalives"] == "1" })
        let shared = try attempts("host=a,b hostaddr=10.0.0.1,10.0.0.2 port=7")
        #expect(shared.map { $0["hostaddr"] } == ["10.0.0.1", "10.0.0.2"])
        #expect(shared.map { $0["port"] } == ["7", "7"])
        let told = try attempts("postgresql://a,b/hoga?target_session_attrs=any")
        #expect(told.allSatisfy { $0["target_session_attrs"] == "any" })
        let one = try attempts("postgresql://a/hoga?client_encoding=LATIN1")
        #expect(one.count == 1)
        #expect(one[0]["target_session_attrs"] == nil)
        #expect(one[0]["client_encoding"] == "UTF8")
        #expect(try attempts("dbname=hoga").count == 1)
    }
}
