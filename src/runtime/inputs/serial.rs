//! A serial port: opened as given or as found out, and opened again when it returns.

use super::{Alone, BackOff, End, Teller, baud, pump};
use crate::core::diag::bytes::upright;
use crate::core::output::SerialSettings;
use crate::runtime::serial::open;
use crate::runtime::session::snapshot::Link;

pub(super) async fn run(settings: &SerialSettings, mut teller: Teller) -> Result<(), Alone> {
    let mut back_off = BackOff::default();
    let device = &settings.device;
    let mut failed = false;
    teller.state(Link::Opening, "", None).await?;
    loop {
        let opened = open(settings, settings.baud.unwrap_or(baud::RATES[0]));
        match opened {
            Ok(mut port) => {
                let mut found = baud::Found { baud: settings.baud.unwrap_or(0), inverted: false };
                if settings.baud.is_none() {
                    match baud::find(&mut port, &mut teller, failed).await? {
                        baud::Search::Found(what) => {
                            found = what;
                            failed = false;
                        }
                        baud::Search::Nothing(why) => {
                            failed = true;
                            let error = format!("{device}: {why}; looking again");
                            teller.state(Link::Waiting, "", Some(error)).await?;
                            continue;
                        }
                        baud::Search::Gone(why) => {
                            let error = format!("{device}: {why}; waiting for it");
                            teller.state(Link::Waiting, "", Some(error)).await?;
                            tokio::time::sleep(back_off.next_wait()).await;
                            continue;
                        }
                    }
                }
                let inverted = if found.inverted { " inverted" } else { "" };
                teller.state(Link::Open, &format!("{} {}{inverted}", found.baud, settings.bits()), None).await?;
                back_off.opened();
                let change = found.inverted.then_some(upright as fn(u8) -> u8);
                let End::Gone(why) = pump(port, &teller, change).await else { return Err(Alone) };
                let why = if why.starts_with("closed") { "gone".into() } else { why };
                teller.state(Link::Waiting, "", Some(format!("{device}: {why}; waiting for it"))).await?;
            }
            Err(error) => {
                teller.state(Link::Waiting, "", Some(format!("{error}; waiting for it"))).await?;
            }
        }
        tokio::time::sleep(back_off.next_wait()).await;
    }
}
