//! What the interface passes.

#![allow(non_camel_case_types)]

use std::ffi::c_char;
use tailback_embed::{Delivery, Error, Interior, Network, Refusal};

/// A network, as C sees it: nothing but a pointer.
pub struct tb_network {
    pub(crate) network: Network,
}

/// How a call ended.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum tb_status {
    /// It was done.
    TB_OK = 0,
    /// An argument is NULL that must not be.
    TB_NULL = 1,
    /// There is no such node.
    TB_NO_NODE = 2,
    /// There is no such message class.
    TB_NO_CLASS = 3,
    /// A message is longer or shorter than the network takes.
    TB_LENGTH = 4,
    /// The source queue of the node is full.
    TB_FULL = 5,
    /// The clock does not go there.
    TB_TIME = 6,
    /// Packets wait for each other for ever; the clock stands still.
    TB_DEADLOCKED = 7,
    /// Packets go on and on, and none arrives; the clock stands still.
    TB_LIVELOCKED = 8,
    /// The spec or the configuration is wrong.
    TB_SPEC = 9,
    /// A file cannot be read or written.
    TB_FILE = 10,
    /// A checkpoint or a call log is damaged, or of another network.
    TB_DAMAGED = 11,
    /// A text is not UTF-8.
    TB_TEXT = 12,
    /// A bug of this program was met. The network is of no use any more, but for `tb_close`.
    TB_BUG = 13,
}

impl From<Refusal> for tb_status {
    fn from(refusal: Refusal) -> tb_status {
        match refusal {
            Refusal::NoNode => tb_status::TB_NO_NODE,
            Refusal::NoClass => tb_status::TB_NO_CLASS,
            Refusal::Length => tb_status::TB_LENGTH,
            Refusal::Full => tb_status::TB_FULL,
            Refusal::Time => tb_status::TB_TIME,
            Refusal::Deadlocked => tb_status::TB_DEADLOCKED,
            Refusal::Livelocked => tb_status::TB_LIVELOCKED,
            Refusal::Broken => tb_status::TB_BUG,
        }
    }
}

impl From<Result<(), Refusal>> for tb_status {
    fn from(ended: Result<(), Refusal>) -> tb_status {
        ended.map_or_else(tb_status::from, |()| tb_status::TB_OK)
    }
}

impl From<&Error> for tb_status {
    fn from(error: &Error) -> tb_status {
        match error {
            Error::Spec(_) => tb_status::TB_SPEC,
            Error::File(_) => tb_status::TB_FILE,
            Error::Damaged(_) => tb_status::TB_DAMAGED,
            Error::Bug(_) => tb_status::TB_BUG,
        }
    }
}

/// Why a network was not opened.
#[repr(C)]
pub struct tb_error {
    /// How the call ended.
    pub status: tb_status,
    /// The same in words, in lines with places, or NULL; freed by `tb_error_clear`.
    pub message: *mut c_char,
}

/// What a simulator with BookSim inside says of how it hands over packets.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct tb_inside {
    /// Bytes of a flit.
    pub flit_size: u32,
    /// Networks side by side.
    pub subnets: u32,
    /// Channels of a link.
    pub channels: u32,
    /// Flits that a node holds at most which have not left it.
    pub input_buffer_size: u32,
    /// Flits of each channel in the ejection buffer; 0: not said.
    pub ejection_buffer_size: u32,
    /// Flits of each channel in the boundary buffer.
    pub boundary_buffer_size: u32,
}

impl From<&Interior> for tb_inside {
    fn from(of: &Interior) -> tb_inside {
        tb_inside {
            flit_size: of.inside.flit_size,
            subnets: of.inside.subnets,
            channels: of.channels,
            input_buffer_size: of.inside.input_buffer_size,
            ejection_buffer_size: of.inside.ejection_buffer_size,
            boundary_buffer_size: of.inside.boundary_buffer_size,
        }
    }
}

/// A message that has been delivered.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct tb_delivery {
    /// What the host calls the message.
    pub tag: u64,
    /// Cycle in which it was sent.
    pub sent: u64,
    /// Cycle in which the head of its last packet left the source.
    pub entered: u64,
    /// Cycle in which its last tail was received.
    pub cycle: u64,
    /// The node that sent it.
    pub source: u32,
    /// The node that receives it.
    pub destination: u32,
    /// Its message class.
    pub message_class: u32,
    /// Its length in flits.
    pub flits: u32,
    /// Links between routers that its last packet took.
    pub hops: u32,
    /// 0.
    pub reserved: u32,
}

impl From<&Delivery> for tb_delivery {
    fn from(of: &Delivery) -> tb_delivery {
        let Delivery { message, sent, entered, cycle, hops } = *of;
        tb_delivery {
            tag: message.tag,
            sent,
            entered,
            cycle,
            source: message.source,
            destination: message.destination,
            message_class: message.class,
            flits: message.flits,
            hops,
            reserved: 0,
        }
    }
}
