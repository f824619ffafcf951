//! What a checkpoint may say of the lines of a side.

use super::*;

fn lines() -> Lines {
    Lines::new(Place { side: Side::Egress, port: 1, node: false }, 2, 4, 3)
}

/// One of two lines is in use: it has a branch, one that refused, a marker, is off and is stopped.
fn busy() -> Lines {
    let mut lines = lines();
    lines.begin(0, Turns::new(&[2]));
    (lines[0].branches, lines[0].refused, lines[0].stopped) = (bit(1), bit(2), true);
    lines.note(0);
    lines.turn_off(0);
    lines.mark(0, Some((0, 5)));
    lines
}

#[test]
fn what_lines_say_of_themselves_fits() {
    assert!(lines().fits().is_ok());
    assert!(busy().fits().is_ok(), "{:?}", busy().fits());
}

#[test]
fn what_contradicts_itself_does_not() {
    let wrong: [fn(&mut Lines); 10] = [
        |lines| lines.held ^= 1 << lines.numbers.of_line(0),
        |lines| lines.noted = 0,
        |lines| lines.marked |= 1 << lines.root() << 1,
        |lines| lines[0].branches |= bit(4),
        |lines| lines[0].marker.0 = 3,
        |lines| lines[0].marker.1 = 0,
        // The line that is not in use.
        |lines| lines[1].downstream = true,
        |lines| lines[1].branches = bit(1),
        |lines| {
            lines[1].refused = bit(1);
            lines.note(1);
        },
        |lines| {
            lines[1].stopped = true;
            lines.hold(1);
        },
    ];
    for (number, change) in wrong.iter().enumerate() {
        let mut lines = busy();
        change(&mut lines);
        assert!(lines.fits().is_err(), "change {number}");
    }
}
