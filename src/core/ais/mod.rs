//! AIS inside NMEA: six-bit armour, messages of ITU-R M.1371-5, assembling of parts.
