//! `nmeasimx ports` and `nmeasimx interfaces`: what this machine has to send on and to listen to.

use std::io::Write;

use nmeasimx::runtime::machine;

/// Lists serial ports; the exit status.
pub fn ports(out: &mut dyn Write, err: &mut dyn Write) -> u8 {
    let ports = machine::ports();
    if ports.is_empty() {
        super::complain(err, "no serial port found; any path can be given all the same");
    }
    let lines = ports.iter().map(|p| match &p.target {
        Some(target) => format!("{}  ({target})\n", p.path),
        None => format!("{}\n", p.path),
    });
    write(out, &lines.collect::<String>())
}

/// Lists network interfaces; the exit status.
pub fn interfaces(out: &mut dyn Write, err: &mut dyn Write) -> u8 {
    match machine::interfaces() {
        Ok(interfaces) => {
            let lines = interfaces.iter().map(|i| {
                let broadcast = i.broadcast.map(|b| format!("  broadcast {b}")).unwrap_or_default();
                let state = if i.up { "" } else { "  down" };
                format!("{:<12} {}/{}{broadcast}{state}\n", i.name, i.address, i.prefix)
            });
            write(out, &lines.collect::<String>())
        }
        Err(error) => {
            super::complain(err, &format!("interfaces: {error}"));
            1
        }
    }
}

fn write(out: &mut dyn Write, text: &str) -> u8 {
    u8::from(out.write_all(text.as_bytes()).is_err())
}
