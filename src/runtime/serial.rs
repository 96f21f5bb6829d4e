//! Opening a serial port, for inputs and outputs alike.

use std::io;

use tokio_serial::{DataBits, FlowControl, Parity as Bit, SerialPort, SerialPortBuilderExt, SerialStream, StopBits};

use crate::core::output::{Flow, Parity, SerialSettings};

/// Opens the port for this program alone.
///
/// # Errors
/// In words, with what to do.
pub fn open(settings: &SerialSettings, baud: u32) -> Result<SerialStream, String> {
    let builder = tokio_serial::new(&settings.device, baud)
        .data_bits(match settings.data_bits {
            5 => DataBits::Five,
            6 => DataBits::Six,
            7 => DataBits::Seven,
            _ => DataBits::Eight,
        })
        .parity(match settings.parity {
            Parity::None => Bit::None,
            Parity::Odd => Bit::Odd,
            Parity::Even => Bit::Even,
        })
        .stop_bits(if settings.stop_bits == 2 { StopBits::Two } else { StopBits::One })
        .flow_control(match settings.flow {
            Flow::None => FlowControl::None,
            Flow::Hardware => FlowControl::Hardware,
            Flow::Software => FlowControl::Software,
        });
    let mut port = builder.open_native_async().map_err(|error| explain(&settings.device, &error.into()))?;
    // Some adapters draw their power from DTR; a port that cannot set it does without.
    let _cannot = port.write_data_terminal_ready(true);
    Ok(port)
}

fn explain(device: &str, error: &io::Error) -> String {
    let device = crate::core::visible::text(device.as_bytes());
    let advice = match error.kind() {
        io::ErrorKind::PermissionDenied => "; add yourself to the group dialout and log in again",
        io::ErrorKind::ResourceBusy => "; another program has it",
        io::ErrorKind::NotFound => "; see: nmeasimx ports",
        _ => "",
    };
    format!("{device}: {error}{advice}")
}
