//! A serial port: opened as given or as found out, and opened again when it returns.

use std::io;

use tokio_serial::{SerialPort, SerialPortBuilderExt, SerialStream};

use super::{Alone, End, GOOD, Pauses, Teller, baud, pump};
use crate::core::output::{Flow, Parity, SerialSettings};
use crate::runtime::session::snapshot::Link;

pub(super) async fn run(settings: &SerialSettings, mut teller: Teller) -> Result<(), Alone> {
    let mut pauses = Pauses::new();
    let device = &settings.device;
    teller.state(Link::Opening, "", None).await?;
    loop {
        let opened = open(settings, settings.baud.unwrap_or(baud::RATES[0]));
        match opened {
            Ok(mut port) => {
                let mut found = baud::Found { baud: settings.baud.unwrap_or(0), inverted: false };
                if settings.baud.is_none() {
                    match baud::find(&mut port, &teller).await? {
                        baud::Search::Found(what) => found = what,
                        baud::Search::Nothing(why) => {
                            let error = format!("{device}: {why}; looking again");
                            teller.state(Link::Waiting, "", Some(error)).await?;
                            continue;
                        }
                        baud::Search::Gone(why) => {
                            let error = format!("{device}: {why}; waiting for it");
                            teller.state(Link::Waiting, "", Some(error)).await?;
                            pauses.pause().await;
                            continue;
                        }
                    }
                }
                let inverted = if found.inverted { " inverted" } else { "" };
                teller.state(Link::Open, &format!("{} {}{inverted}", found.baud, settings.bits()), None).await?;
                let since = crate::runtime::clock::now();
                let change = found.inverted.then_some(baud::upright as fn(u8) -> u8);
                let End::Gone(why) = pump(port, &teller, change).await else { return Err(Alone) };
                if since.elapsed() >= GOOD {
                    pauses = Pauses::new();
                }
                let why = if why.starts_with("closed") { "gone".into() } else { why };
                teller.state(Link::Waiting, "", Some(format!("{device}: {why}; waiting for it"))).await?;
            }
            Err(error) => {
                let advice = match error.kind() {
                    io::ErrorKind::PermissionDenied => " (add yourself to the group `dialout`)",
                    io::ErrorKind::ResourceBusy => " (another program has it)",
                    _ => "",
                };
                teller.state(Link::Waiting, "", Some(format!("{device}: {error}{advice}; waiting for it"))).await?;
            }
        }
        pauses.pause().await;
    }
}

/// Opens the port for this program alone.
fn open(settings: &SerialSettings, baud: u32) -> io::Result<SerialStream> {
    let builder = tokio_serial::new(&settings.device, baud)
        .data_bits(match settings.data_bits {
            5 => tokio_serial::DataBits::Five,
            6 => tokio_serial::DataBits::Six,
            7 => tokio_serial::DataBits::Seven,
            _ => tokio_serial::DataBits::Eight,
        })
        .parity(match settings.parity {
            Parity::None => tokio_serial::Parity::None,
            Parity::Odd => tokio_serial::Parity::Odd,
            Parity::Even => tokio_serial::Parity::Even,
        })
        .stop_bits(if settings.stop_bits == 2 { tokio_serial::StopBits::Two } else { tokio_serial::StopBits::One })
        .flow_control(match settings.flow {
            Flow::None => tokio_serial::FlowControl::None,
            Flow::Hardware => tokio_serial::FlowControl::Hardware,
            Flow::Software => tokio_serial::FlowControl::Software,
        });
    let mut port = builder.open_native_async().map_err(io::Error::from)?;
    // NMEA over RS-232 adapters draws power from DTR on many boats; a port that cannot set it does without.
    let _cannot = port.write_data_terminal_ready(true);
    Ok(port)
}
