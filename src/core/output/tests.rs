//! SPECs and profiles, read and written.

use super::*;

#[test]
fn a_spec_reads_and_prints_as_itself() {
    // (given, shown): what is shown is complete and reads back as the same.
    let cases = [
        ("tcp-server:10110", "tcp-server:127.0.0.1:10110"),
        ("tcp-server::10110", "tcp-server:127.0.0.1:10110"),
        ("tcp-server:0.0.0.0:2000", "tcp-server:0.0.0.0:2000"),
        ("tcp-server:[::1]:2000;filter=RMC,gga", "tcp-server:[::1]:2000;filter=RMC,GGA"),
        ("tcp-client:gateway.local:2000", "tcp-client:gateway.local:2000"),
        ("udp:192.168.1.255:10110;tag=II0001", "udp:192.168.1.255:10110;tag=II0001"),
        ("udp:h:1;tag=II0001;tag_time=ms", "udp:h:1;tag=II0001;tag_time=ms"),
        ("udp:h:1;tag_time=s;tag=keep", "udp:h:1;tag=keep"),
        ("udp-broadcast:10110", "udp-broadcast:10110"),
        ("udp-broadcast:wlan0:10110", "udp-broadcast:wlan0:10110"),
        ("udp-multicast:239.1.2.3:6000;ttl=4;interface=eth0", "udp-multicast:239.1.2.3:6000;interface=eth0;ttl=4"),
        ("udp-multicast;encoding=iec61162-450", "udp-multicast:239.192.0.4:60004;encoding=iec61162-450"),
        ("websocket:3000;encoding=signalk;period=500ms", "websocket:127.0.0.1:3000;encoding=signalk;period=500ms"),
        ("serial:/dev/ttyUSB0", "serial:/dev/ttyUSB0@4800"),
        ("serial:/dev/ttyS1@38400;bits=7E2;flow=hardware", "serial:/dev/ttyS1@38400;bits=7E2;flow=hardware"),
        ("pty", "pty"),
        ("pty:/tmp/gps", "pty:/tmp/gps"),
        ("file:a.nmea", "file:a.nmea"),
        ("log:a:b.nmea;tag=keep", "log:a:b.nmea;tag=keep"),
        ("stdout", "stdout"),
        ("udp:h:1;encoding=viewsync", "udp:h:1;encoding=viewsync"),
    ];
    for (given, shown) in cases {
        let spec = OutputSpec::parse(given).unwrap_or_else(|e| panic!("{given}: {e}"));
        assert_eq!(spec.to_string(), shown);
        assert_eq!(OutputSpec::parse(shown).unwrap(), spec, "{shown}");
    }
}

#[test]
fn a_wrong_spec_says_what_would_be_right() {
    let cases = [
        ("tcp", "is no kind of output: there are tcp-server, tcp-client"),
        ("tcp-server:boat:1", "is no address to listen on"),
        ("tcp-server:70000", "is no port: give 1 to 65535"),
        ("tcp-client:10110", "needs a host and a port, as in tcp-client:192.168.1.20:10110"),
        ("udp:::1:99", "stands in brackets"),
        ("udp-multicast:10.0.0.1:99", "is no multicast group"),
        ("serial", "name a device"),
        ("serial:/dev/ttyS0@fast", "is no baud rate"),
        ("serial:/dev/ttyS0@auto", "cannot find the baud rate by itself"),
        ("serial:/dev/ttyS0;bits=9N1", "as in 8N1"),
        ("file", "needs a path"),
        ("stdout;filter=R*", "give formatters (RMC)"),
        (
            "stdout;colour=red",
            "stdout has no option \"colour\": there are filter, encoding, tag, tag_time, period, enabled",
        ),
        ("stdout;filter", "give key=value"),
        ("stdout;period=1h", "give 50ms to 3600s"),
        ("stdout;tag=a source", "at most 15 letters and digits"),
        ("tcp-server:1;encoding=iec61162-450", "goes by UDP"),
        ("tcp-server:1;encoding=viewsync", "goes by UDP"),
        ("udp-multicast;encoding=iec61162-450;tag=GATEWAY", "two letters and four digits"),
        ("log:a;encoding=signalk", "a log holds sentences"),
        ("stdout;tag=II0001;tag_time=us", "give s or ms"),
        ("stdout;tag_time=ms", "give a tag as well"),
        ("udp-multicast;encoding=iec61162-450;tag=II0001;tag_time=ms", "sends no time"),
    ];
    for (given, says) in cases {
        let error = OutputSpec::parse(given).expect_err(given);
        assert!(error.contains(says), "{given}: {error}");
        assert!(error.starts_with(&format!("output {given:?}: ")), "{error}");
    }
}

#[test]
fn a_profile_describes_the_same_outputs() {
    type Case = (&'static str, &'static [(&'static str, &'static str)], &'static str);
    let cases: &[Case] = &[
        ("tcp-server", &[("address", "0.0.0.0"), ("port", "10110")], "tcp-server:0.0.0.0:10110"),
        ("tcp-server", &[("port", "10110"), ("filter", "RMC")], "tcp-server:10110;filter=RMC"),
        ("tcp-client", &[("host", "::1"), ("port", "7")], "tcp-client:[::1]:7"),
        ("udp-broadcast", &[("interface", "wlan0"), ("port", "10110")], "udp-broadcast:wlan0:10110"),
        ("serial", &[("device", "/dev/ttyS0"), ("baud", "38400")], "serial:/dev/ttyS0@38400"),
        ("udp-multicast", &[("encoding", "iec61162-450")], "udp-multicast;encoding=iec61162-450"),
        ("log", &[("path", "a.nmea"), ("tag_block", "keep")], "log:a.nmea;tag=keep"),
        ("stdout", &[("tag_block", "GP0001"), ("tag_time", "ms")], "stdout;tag=GP0001;tag_time=ms"),
        ("stdout", &[], "stdout"),
    ];
    for (kind, keys, spec) in cases {
        let keys: Vec<_> = keys.iter().map(|(k, v)| (*k, v.to_string())).collect();
        assert_eq!(OutputSpec::from_keys(kind, &keys).unwrap(), OutputSpec::parse(spec).unwrap());
    }
    let (key, error) = OutputSpec::from_keys("stdout", &[("ttl", "3".into())]).unwrap_err();
    assert_eq!(key.as_deref(), Some("ttl"));
    assert!(error.contains("has no option"), "{error}");
}
