//! Every rule with a stream that triggers it, and one, healthy but close, that must not.

mod cadence;
mod form;
mod gnss;
mod heading;
mod instruments;
mod traffic;
mod twins;

use super::context::Settings;
use super::kind::Kind;
use super::rig::Rig;

#[test]
fn a_healthy_boat_has_no_errors_and_no_warnings() {
    for settings in [Settings::live(true), Settings::live(false), Settings::log(true, true), Settings::simulation()] {
        let mut rig = Rig::new(settings);
        rig.each_second(600, Rig::healthy);
        assert_eq!(rig.severe(), []);
    }
}

#[test]
fn clearing_forgets_findings_and_counters_but_not_the_input() {
    let mut rig = Rig::live();
    rig.each_second(60, |r, _| r.say("HEHDT,361.0,T"));
    assert!(rig.holds(Kind::HeadingRange));
    rig.diag.clear();
    assert!(rig.diag.findings().is_empty() && rig.diag.rows().iter().next().is_none());
    assert_eq!(rig.diag.feeds().count(), 1);
    rig.each_second(60, Rig::healthy);
    assert_eq!(rig.severe(), []);
}
