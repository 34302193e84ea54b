"""The archive on bare systems of other distributions, without a network."""

from container import Container, expect, run

DOCTOR = ("hoga doctor --store none --rest-url https://localhost:8443 --ws-url wss://localhost:8443"
          " --ws2-url wss://localhost:8443")


def make_certificates(work):
    """Makes an authority and a certificate of localhost in the folder."""
    script = """
        openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -days 2 \
            -subj /CN=hoga-trial -addext basicConstraints=critical,CA:TRUE
        openssl req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=localhost
        openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 \
            -extfile <(echo subjectAltName=DNS:localhost) -out server.pem
    """
    made = run(["bash", "-e", "-c", script], cwd=work)
    expect(made.returncode == 0, "certificates", made.stdout)


def check_archive(packages, suite, work):
    """Runs the archive's program in a folder with a blank in its name, and through a link."""
    options = ["--network", "none", "--volume", f"{packages.folder}:/packages:ro",
               "--volume", f"{work}:/trial:ro"]
    with Container(suite, suite, *options) as system:
        folder = f"/opt/a folder/hoga-{packages.version}-linux-x86_64"
        system.expect("it unpacks", "useradd --create-home kim; mkdir '/opt/a folder' && cd /opt/a*"
                      f" && tar --extract --file /packages/{packages.archive.name}")
        system.expect("the program starts", f"'{folder}/bin/hoga' --version",
                      f"^hoga {packages.version} ", "kim")
        system.run(f"ln -s '{folder}/bin/hoga' /usr/local/bin/hoga")
        system.expect("through a link too", "hoga --version", f"^hoga {packages.version} ", "kim")
        system.expect("all libraries but those of the C library are its own",
                      f"! ldd '{folder}/bin/hoga' | grep -v -e '{folder}' -e vdso -e ld-linux"
                      " -e 'lib\\(c\\|m\\|resolv\\)\\.so'")
        system.expect("the list", "hoga watch --exchange simulated --once", "BTC/KRW", "kim")
        system.expect_terminal("hoga watch --exchange simulated", "BTC/KRW", "q", "kim")
        system.run("(hoga serve --exchange simulated > /tmp/log 2>&1; echo $? > /tmp/status) &")
        system.wait("the service is ready", "hoga health --ready")
        system.expect("it serves a document", "exec 3<>/dev/tcp/127.0.0.1/8080; printf 'GET "
                      "/v1/markets?limit=1 HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close"
                      "\\r\\n\\r\\n' >&3; cat <&3", "200 OK")
        system.run("kill $(pidof hoga)")
        system.wait("it ends with 0", "grep -qx 0 /tmp/status")
        check_trust(system)


def check_trust(system):
    """Expects the program to trust the system's certificate authorities, and no others."""
    system.run("cd /trial; openssl s_server -quiet -www -accept 8443 -cert server.pem"
               " -key server.key > /dev/null 2>&1 &")
    system.wait("a server speaks TLS", "true < /dev/tcp/127.0.0.1/8443")
    system.expect("an unknown authority is refused", f"! {DOCTOR}",
                  "rest ticker.*certificate problem")
    system.expect("an authority of the system", "cp /trial/ca.crt /usr/local/share/ca-certificates/"
                  " && update-ca-certificates")
    answer = system.expect("is trusted", f"! {DOCTOR}", "rest ticker")
    expect("certificate" not in answer.split("memory")[0].replace("sign-in", ""),
           f"{system.name}: TLS with an authority of the system", answer)
