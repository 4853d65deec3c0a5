import HubVocabulary

/// A client certificate for `com.example.app` with its key; the password is "secret".
///
/// Made by `openssl req -x509 -days 365` and `openssl pkcs12 -export`, the older with `-legacy`.
enum CertificateBundle: CaseIterable {
    /// As tools of today write it, with AES-256; the subject's user id is the app's.
    case present
    /// As old Keychains do, with RC2 of 40 bits; Apple's list of topics names the app.
    case legacy

    /// The seconds in which both are valid.
    static let valid: Range<UInt64> = 1_795_421_857..<1_826_957_857

    /// As a credential has it.
    var base64: String {
        switch self {
        case .present:
            """
            MIIELAIBAzCCA+IGCSqGSIb3DQEHAaCCA9MEggPPMIIDyzCCAoIGCSqGSIb3DQEHBqCCAnMwggJvAgEAMIICaAYJ
            KoZIhvcNAQcBMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhrUE2YKt2+lwICCAAwDAYIKoZIhvcNAgkF
            ADAdBglghkgBZQMEASoEEJmO6GqXRf80GobHDp0voyOAggIADZLlaLNguKu98LZn282nLas0Wvm0aX6uDyMY4wZV
            NVli2R4UtJdJ0kATTBLKshPLhvluz5IU8moPrZzoGMqjMsYoaaChjLFIgVdu5FsCkeKMa+4sOHo6xjw6PBA02s7X
            3vrkoQs84c9HQbLObdQRRN5Qo4G4pepKtM2KGRSPH6l9m3c75WwHk/PJVGeRr9UZJzgY3AilLSmwXhtDqHe7Ng07
            so1t2znhbIuczf46H9z/la8/LjSCYRzrQIcAqQ8Ovyii3mMq4DAxlfmYCF/YycE9O+zqtCTVU1vx4l/Te3/+zsMi
            x/GDu0y29mLI6p68McpAlWyYKncIz5EKnEvgcuW7x9fKN4AoGFtl5risAOCOtZDG6vXjR7SxjpwBKdo7kol1+F2N
            AB6ol36d1WRPqB+iemMr1KDgWZb1mNsmYCNaElTGQl7zm4PFlv7JUW+B69uyMNzQtUx1I1uRolmAokEFHzbksLT8
            GVaR3Z1MbuMg18aoa+IlsCrqSGlhfkTpUfwuBnmqTcLEb/nUq82fswe7UbwIPk1wdVNLoUaEI4WiVoPMk/yD1nzW
            wHiVkoPUhVOPrzJmu1STIoZVgtSb7nHnsFN/TaFs5F32PDW8J5a8GtDiVL3ovzHb3rreD+6jZ3zlXChmQSzYFYgG
            v+xxS5TOF76BVk4d7UM/XwbDKDwwggFBBgkqhkiG9w0BBwGgggEyBIIBLjCCASowggEmBgsqhkiG9w0BDAoBAqCB
            7zCB7DBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQI4/dKIhBT7iwCAggAMAwGCCqGSIb3DQIJBQAwHQYJ
            YIZIAWUDBAEqBBDmJK08r4LuILLMCw98DsGrBIGQAnWrn4tC6P3z7RPr6WjJwbxiyeoAQ71l7UpvWN2tiLJIIDtP
            5b+GJp3sE+2nDafiNrM/7dF0xUrGBP3HwZ4uZ2N/98vhzDCDS7zeVq5hul0O5a3YaZMEw6Xm5ORTnxu532+ck+wy
            bfXV4HQgHXEl/fczEJBbf9OcnNTnpezh5THEaugd9Xi1OI4n7T6ODSBcMSUwIwYJKoZIhvcNAQkVMRYEFIa1nbQu
            DS81IWaIlcNc+5QortSGMEEwMTANBglghkgBZQMEAgEFAAQg6URDAYPd305pCoAX21O20M8Ffcq35U9d9DdUS0hl
            MSMECHtyiZ58GC9DAgIIAA==
            """
        case .legacy:
            """
            MIIDqgIBAzCCA3AGCSqGSIb3DQEHAaCCA2EEggNdMIIDWTCCAk8GCSqGSIb3DQEHBqCCAkAwggI8AgEAMIICNQYJ
            KoZIhvcNAQcBMBwGCiqGSIb3DQEMAQYwDgQIh+Fy6Q7CBwQCAggAgIICCJSMEKvFIMxTk9668q/kKmRJUzz0f7Q8
            OGq3Xu3vTPzpE1RtCPse4tabkVDiECKs9Pkikoq1A7MWwqmikpQ2P6HHcGKsZlBUUfsHeEDYHZCl/4RdhUBIa0Kq
            Hu7JKf1cVKXJWlICMobgB11kMmwVrGMEIAANPaHun2F9zBemWJsTlIh5MM4XxNkBoApZGTTYkoyEFBYmRuNQIoVa
            A2RP0boZwFSAfVicxtDOOvxK49rMGuVUJR39ESECcwWBwIFq7dN1FJTrQXwS+udXlfx7O3BPPIKZa3ThqsJh+vdr
            DDAkGD0mITAWhPGn5ysyJeLGeo56YkoF1fPSB5LTZCuq3jMGKXoHUxbwEU9++AQOKWesv5YZ87UFrAWXXH1NX6OE
            oprOFehPtBAyUBGz7UMV2AWaXx37JcyNBz4YVIivjiztXxmslcBQtfpgwSEp747VJcSKRmQOfLma3UuadHRknWvo
            ttCy859fcuFyGEj+0pDKP0kzc/4BdRu6jSXv54nDbNRXPY5/kGUbuYrzwqeH9JUK6mgkv0WWWUkeoEC9iAAUEXa6
            64n6zS5TwZnZmHPr/Fgfh1Mh4BEHN9cZM70mseOMjXN7BWKx9CC7rzbJHxdjya+6gfx0ESib+R2tkK45xsuzgXq9
            1vUkMnDp4+XHW0uj98yHa3BoyUthbu3svtareBLNEVzGEgMwggECBgkqhkiG9w0BBwGggfQEgfEwge4wgesGCyqG
            SIb3DQEMCgECoIG0MIGxMBwGCiqGSIb3DQEMAQMwDgQIogRIl1erg88CAggABIGQCi1XoGJ094/SSNoj8bPljHY0
            OPgtCGbkCAed3A6ljxXBUMaY6RVyfWtx08lUCGOsyDVzlq4NyDqCSxrYcddAfp1Haf1rAURKCEQEaXwTKSwK846/
            n00/o+ODY6x9+zq3IPWfk21Ad+lLWaTMxLnsypLL4SNY7TnB/o/PK2kZAzvmynAOK1CGG3zR7b39+v4qMSUwIwYJ
            KoZIhvcNAQkVMRYEFOIMgQBAAYIDYC6r+vnPxGId37cQMDEwITAJBgUrDgMCGgUABBR4ufUOsN5JuNI9eTffGxC8
            4fu6kwQIcjktSoKANK0CAggA
            """
        }
    }

    var bytes: [UInt8] { Base64.decode(base64.utf8.filter { $0 > 0x20 }) ?? [] }
}
