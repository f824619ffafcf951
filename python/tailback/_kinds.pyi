"""Types of the sections of `tailback.build`, written by tools/python_stubs.py."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Final, Literal, TypeAlias, TypedDict

import numpy as np
import numpy.typing as npt

from tailback._component import Component

Integers: TypeAlias = Sequence[int] | npt.NDArray[np.integer[Any]]
Floats: TypeAlias = Sequence[float] | npt.NDArray[np.floating[Any] | np.integer[Any]]

TopologyBoundaryLike: TypeAlias = Component[Literal['topology.boundary']] | Mapping[str, Any]

class TopologyBoundary:
    """Slower or narrower links between the tiles of a mesh, such as those between chiplets."""

    def __call__(
        self,
        *,
        every: Integers = ...,
        cycles: int | Literal['auto'] = ...,
        width: float = ...,
    ) -> Component[Literal['topology.boundary']]:
        """Slower or narrower links between the tiles of a mesh, such as those between chiplets.

        Parameters
        ----------
        every : a list of integers in 1 to 1073741824; default []
            Sides of a tile, one per dimension. Without them there are no boundaries [routers].
        cycles : "auto" or an integer in 1 to 4096; default 'auto'
            Time of a flit on a link between tiles; "auto" is `link_cycles` [cycles].
        width : float in 0.000244140625 to 1.0; default 1.0
            What a link between tiles carries: 1, or 1 over a whole number, such as 0.5 [flits/cycle].
        """

TopologyLike: TypeAlias = Component[Literal['topology']] | Mapping[str, Any] | Literal['torus', 'mesh', 'dragonfly', 'megafly', 'hyperx', 'fat_tree', 'folded_clos', 'leaf_spine', 'slim_fly', 'polarfly', 'jellyfish', 'butterfly', 'express_mesh', 'tree4', 'crossbar', 'file']

class Topology:
    """How routers are wired."""

    boundary: Final[TopologyBoundary]
    def torus(
        self,
        *,
        link_cycles: int = ...,
        radix: Integers,
        twist: Sequence[Integers] = ...,
        nodes_per_router: int = ...,
        boundary: TopologyBoundaryLike = ...,
    ) -> Component[Literal['topology']]:
        """K-ary n-cube: every dimension is a ring.

        Parameters
        ----------
        link_cycles : integer in 1 to 4096; default 1
            Time of a flit on a link between routers [cycles].
        radix : a list of integers in 2 to 1073741824
            Routers per dimension, lowest dimension first; 1 to 6 dimensions, any radix from 2 [routers].
        twist : rows in 0 to 1073741824; default []
            One row per dimension, an offset per dimension: what the step over the wrap of the row's dimension adds to the other coordinates. No twist where the list is empty [routers].
        nodes_per_router : integer in 1 to 64; default 1
            Nodes attached to each router, each with injection and ejection ports of its own [nodes].
        boundary : a kind of topology.boundary
            Slower or narrower links between the tiles of a mesh, such as those between chiplets.
        """
    def mesh(
        self,
        *,
        link_cycles: int = ...,
        radix: Integers,
        node_order: Literal['router', 'tile'] = ...,
        nodes_per_router: int = ...,
        boundary: TopologyBoundaryLike = ...,
    ) -> Component[Literal['topology']]:
        """N-dimensional mesh: every dimension is a line.

        Parameters
        ----------
        link_cycles : integer in 1 to 4096; default 1
            Time of a flit on a link between routers [cycles].
        radix : a list of integers in 2 to 1073741824
            Routers per dimension, lowest dimension first; 1 to 6 dimensions, any radix from 2 [routers].
        node_order : "router" or "tile"; default 'router'
            How nodes are numbered. A tile is as square as the number of nodes allows, and wider than high.
        nodes_per_router : integer in 1 to 64; default 1
            Nodes attached to each router, each with injection and ejection ports of its own [nodes].
        boundary : a kind of topology.boundary
            Slower or narrower links between the tiles of a mesh, such as those between chiplets.
        """
    def dragonfly(
        self,
        *,
        link_cycles: int = ...,
        routers_per_group: int,
        global_links: int,
        groups: int | Literal['auto'] = ...,
        arrangement: Literal['palmtree', 'absolute', 'relative', 'circulant'] = ...,
        local_cycles: int | Literal['auto'] = ...,
        global_cycles: int | Literal['auto'] = ...,
        local_channels: int | Literal['auto'] = ...,
        global_channels: int | Literal['auto'] = ...,
        nodes_per_router: int | Literal['auto'] = ...,
        boundary: TopologyBoundaryLike = ...,
    ) -> Component[Literal['topology']]:
        """Groups of fully connected routers, every group linked to every other.

        Parameters
        ----------
        link_cycles : integer in 1 to 4096; default 1
            Time of a flit on a link between routers [cycles].
        routers_per_group : integer in 1 to 1048576
            Routers of a group, each linked to all others of it [routers].
        global_links : integer in 1 to 16384
            Links of each router to other groups [links].
        groups : "auto" or an integer in 2 to 16777216; default 'auto'
            Number of groups; "auto" is one more than a group has global links. With fewer groups there are several links between two groups, and groups - 1 must divide the number of a group's links [groups].
        arrangement : "palmtree" or "absolute" or "relative" or "circulant"; default 'palmtree'
            Which group each global link of a group leads to.
        local_cycles : "auto" or an integer in 1 to 4096; default 'auto'
            Time of a flit on a link within a group; "auto" is `link_cycles` [cycles].
        global_cycles : "auto" or an integer in 1 to 4096; default 'auto'
            Time of a flit on a link between groups; "auto" is `link_cycles` [cycles].
        local_channels : "auto" or an integer in 1 to 16; default 'auto'
            Virtual channels of a link within a group, at most `router.virtual_channels`; "auto" is as many [channels].
        global_channels : "auto" or an integer in 1 to 16; default 'auto'
            Virtual channels of a link between groups, at most `router.virtual_channels`; "auto" is as many [channels].
        nodes_per_router : "auto" or an integer in 1 to 1024; default 'auto'
            Nodes attached to each router that has some, each with injection and ejection ports of its own. "auto" is what the kind says, and 1 where it says nothing [nodes].
        boundary : a kind of topology.boundary
            Slower or narrower links between the tiles of a mesh, such as those between chiplets.
        """
    def megafly(
        self,
        *,
        link_cycles: int = ...,
        leaves: int,
        spines: int,
        global_links: int,
        groups: int | Literal['auto'] = ...,
        arrangement: Literal['palmtree', 'absolute', 'relative', 'circulant'] = ...,
        local_cycles: int | Literal['auto'] = ...,
        global_cycles: int | Literal['auto'] = ...,
        local_channels: int | Literal['auto'] = ...,
        global_channels: int | Literal['auto'] = ...,
        nodes_per_router: int | Literal['auto'] = ...,
        boundary: TopologyBoundaryLike = ...,
    ) -> Component[Literal['topology']]:
        """Groups of leaves and spines (Dragonfly+), every group linked to every other by its spines.

        Parameters
        ----------
        link_cycles : integer in 1 to 4096; default 1
            Time of a flit on a link between routers [cycles].
        leaves : integer in 1 to 16384
            Leaves of a group: routers with nodes [routers].
        spines : integer in 1 to 16384
            Spines of a group: routers with global links [routers].
        global_links : integer in 1 to 16384
            Links of each spine to other groups [links].
        groups : "auto" or an integer in 2 to 16777216; default 'auto'
            Number of groups; "auto" is one more than a group has global links. With fewer groups there are several links between two groups, and groups - 1 must divide the number of a group's links [groups].
        arrangement : "palmtree" or "absolute" or "relative" or "circulant"; default 'palmtree'
            Which group each global link of a group leads to.
        local_cycles : "auto" or an integer in 1 to 4096; default 'auto'
            Time of a flit on a link within a group; "auto" is `link_cycles` [cycles].
        global_cycles : "auto" or an integer in 1 to 4096; default 'auto'
            Time of a flit on a link between groups; "auto" is `link_cycles` [cycles].
        local_channels : "auto" or an integer in 1 to 16; default 'auto'
            Virtual channels of a link within a group, at most `router.virtual_channels`; "auto" is as many [channels].
        global_channels : "auto" or an integer in 1 to 16; default 'auto'
            Virtual channels of a link between groups, at most `router.virtual_channels`; "auto" is as many [channels].
        nodes_per_router : "auto" or an integer in 1 to 1024; default 'auto'
            Nodes attached to each router that has some, each with injection and ejection ports of its own. "auto" is what the kind says, and 1 where it says nothing [nodes].
        boundary : a kind of topology.boundary
            Slower or narrower links between the tiles of a mesh, such as those between chiplets.
        """
    def hyperx(
        self,
        *,
        link_cycles: int = ...,
        sides: Integers,
        trunks: Integers = ...,
        dimension_cycles: Integers = ...,
        row: int = ...,
        lengths: Literal['equal', 'layout'] = ...,
        nodes_per_router: int | Literal['auto'] = ...,
        boundary: TopologyBoundaryLike = ...,
    ) -> Component[Literal['topology']]:
        """A grid whose routers are linked to all others of their row in every dimension.

        Parameters
        ----------
        link_cycles : integer in 1 to 4096; default 1
            Time of a flit on a link between routers [cycles].
        sides : a list of integers in 2 to 1048576
            Routers per dimension, lowest dimension first [routers].
        trunks : a list of integers in 1 to 64; default []
            Parallel links between two routers, one number per dimension; 1 each where the list is empty [links].
        dimension_cycles : a list of integers in 1 to 4096; default []
            Time of a flit on a link, one number per dimension; `link_cycles` each where the list is empty [cycles].
        row : integer in 0 to 1048576; default 0
            Routers in a row of a layout in a plane, in their order; nodes are then numbered row by row over the plane of all nodes, where those of a router form a tile, as square as their number allows. 0: no layout; nodes are numbered router by router [routers].
        lengths : "equal" or "layout"; default 'equal'
            How long links are.
        nodes_per_router : "auto" or an integer in 1 to 1024; default 'auto'
            Nodes attached to each router that has some, each with injection and ejection ports of its own. "auto" is what the kind says, and 1 where it says nothing [nodes].
        boundary : a kind of topology.boundary
            Slower or narrower links between the tiles of a mesh, such as those between chiplets.
        """
    def fat_tree(
        self,
        *,
        link_cycles: int = ...,
        arity: int,
        levels: int,
        level_cycles: Integers = ...,
        nodes_per_router: int | Literal['auto'] = ...,
        boundary: TopologyBoundaryLike = ...,
    ) -> Component[Literal['topology']]:
        """A k-ary n-tree: n levels of routers with k links down and k links up.

        Parameters
        ----------
        link_cycles : integer in 1 to 4096; default 1
            Time of a flit on a link between routers [cycles].
        arity : integer in 2 to 1024
            Links of a router down, and as many up; also the nodes of a leaf [links].
        levels : integer in 1 to 16
            Levels of routers [levels].
        level_cycles : a list of integers in 1 to 4096; default []
            Time of a flit on the links between two levels, from the leaves up; `link_cycles` each where the list is empty [cycles].
        nodes_per_router : "auto" or an integer in 1 to 1024; default 'auto'
            Nodes attached to each router that has some, each with injection and ejection ports of its own. "auto" is what the kind says, and 1 where it says nothing [nodes].
        boundary : a kind of topology.boundary
            Slower or narrower links between the tiles of a mesh, such as those between chiplets.
        """
    def folded_clos(
        self,
        *,
        link_cycles: int = ...,
        levels: Sequence[Integers],
        level_cycles: Integers = ...,
        nodes_per_router: int | Literal['auto'] = ...,
        boundary: TopologyBoundaryLike = ...,
    ) -> Component[Literal['topology']]:
        """A tree of levels with several roots; each level has its own number of links down and up.

        Parameters
        ----------
        link_cycles : integer in 1 to 4096; default 1
            Time of a flit on a link between routers [cycles].
        levels : rows in 0 to 1048576
            One row per level, from the leaves up: [down, up, trunk]. A router of the level is joined to `down` routers of the level below and to `up` routers of the level above, by `trunk` parallel links each (1 by default). `down` of the leaves is their number of nodes, and `up` of the last level is 0.
        level_cycles : a list of integers in 1 to 4096; default []
            Time of a flit on the links between two levels, from the leaves up; `link_cycles` each where the list is empty [cycles].
        nodes_per_router : "auto" or an integer in 1 to 1024; default 'auto'
            Nodes attached to each router that has some, each with injection and ejection ports of its own. "auto" is what the kind says, and 1 where it says nothing [nodes].
        boundary : a kind of topology.boundary
            Slower or narrower links between the tiles of a mesh, such as those between chiplets.
        """
    def leaf_spine(
        self,
        *,
        link_cycles: int = ...,
        leaves: int,
        spines: int,
        trunk: int = ...,
        nodes_per_router: int | Literal['auto'] = ...,
        boundary: TopologyBoundaryLike = ...,
    ) -> Component[Literal['topology']]:
        """Two levels, every leaf linked to every spine.

        Parameters
        ----------
        link_cycles : integer in 1 to 4096; default 1
            Time of a flit on a link between routers [cycles].
        leaves : integer in 1 to 1048576
            Routers with nodes [routers].
        spines : integer in 1 to 1048576
            Routers without nodes, each linked to all leaves [routers].
        trunk : integer in 1 to 1024; default 1
            Parallel links between a leaf and a spine [links].
        nodes_per_router : "auto" or an integer in 1 to 1024; default 'auto'
            Nodes attached to each router that has some, each with injection and ejection ports of its own. "auto" is what the kind says, and 1 where it says nothing [nodes].
        boundary : a kind of topology.boundary
            Slower or narrower links between the tiles of a mesh, such as those between chiplets.
        """
    def slim_fly(
        self,
        *,
        link_cycles: int = ...,
        q: int,
        nodes_per_router: int | Literal['auto'] = ...,
        boundary: TopologyBoundaryLike = ...,
    ) -> Component[Literal['topology']]:
        """2 q^2 routers at a distance of at most two links.

        Parameters
        ----------
        link_cycles : integer in 1 to 4096; default 1
            Time of a flit on a link between routers [cycles].
        q : integer in 3 to 65536
            An odd prime number. A router has (3q - 1) / 2 links where q = 4w + 1, and (3q + 1) / 2 where q = 4w - 1.
        nodes_per_router : "auto" or an integer in 1 to 1024; default 'auto'
            Nodes attached to each router that has some, each with injection and ejection ports of its own. "auto" is what the kind says, and 1 where it says nothing [nodes].
        boundary : a kind of topology.boundary
            Slower or narrower links between the tiles of a mesh, such as those between chiplets.
        """
    def polarfly(
        self,
        *,
        link_cycles: int = ...,
        q: int,
        nodes_per_router: int | Literal['auto'] = ...,
        boundary: TopologyBoundaryLike = ...,
    ) -> Component[Literal['topology']]:
        """Q^2 + q + 1 routers at a distance of at most two links.

        Parameters
        ----------
        link_cycles : integer in 1 to 4096; default 1
            Time of a flit on a link between routers [cycles].
        q : integer in 3 to 65536
            An odd prime number. A router has q + 1 links, and q + 1 of the routers have q.
        nodes_per_router : "auto" or an integer in 1 to 1024; default 'auto'
            Nodes attached to each router that has some, each with injection and ejection ports of its own. "auto" is what the kind says, and 1 where it says nothing [nodes].
        boundary : a kind of topology.boundary
            Slower or narrower links between the tiles of a mesh, such as those between chiplets.
        """
    def jellyfish(
        self,
        *,
        link_cycles: int = ...,
        routers: int,
        degree: int,
        seed: int = ...,
        nodes_per_router: int | Literal['auto'] = ...,
        boundary: TopologyBoundaryLike = ...,
    ) -> Component[Literal['topology']]:
        """A random graph in which every router has as many links.

        Parameters
        ----------
        link_cycles : integer in 1 to 4096; default 1
            Time of a flit on a link between routers [cycles].
        routers : integer in 2 to 16777216
            Number of routers [routers].
        degree : integer in 1 to 1024
            Links of each router to others [links].
        seed : integer from 0; default 1
            Seed of the graph. Where it gives no connected graph, the next seed is tried.
        nodes_per_router : "auto" or an integer in 1 to 1024; default 'auto'
            Nodes attached to each router that has some, each with injection and ejection ports of its own. "auto" is what the kind says, and 1 where it says nothing [nodes].
        boundary : a kind of topology.boundary
            Slower or narrower links between the tiles of a mesh, such as those between chiplets.
        """
    def butterfly(
        self,
        *,
        link_cycles: int = ...,
        radix: int,
        stages: int,
        nodes_per_router: int | Literal['auto'] = ...,
        boundary: TopologyBoundaryLike = ...,
    ) -> Component[Literal['topology']]:
        """A k-ary n-fly: stages of routers, with links that lead one way from the first stage to the last.

        Parameters
        ----------
        link_cycles : integer in 1 to 4096; default 1
            Time of a flit on a link between routers [cycles].
        radix : integer in 2 to 1024
            Inputs and outputs of a router; also the nodes of a router of the first and of the last stage [links].
        stages : integer in 2 to 16
            Stages of routers [stages].
        nodes_per_router : "auto" or an integer in 1 to 1024; default 'auto'
            Nodes attached to each router that has some, each with injection and ejection ports of its own. "auto" is what the kind says, and 1 where it says nothing [nodes].
        boundary : a kind of topology.boundary
            Slower or narrower links between the tiles of a mesh, such as those between chiplets.
        """
    def express_mesh(
        self,
        *,
        link_cycles: int = ...,
        side: int,
        express_cycles: int | Literal['auto'] = ...,
        nodes_per_router: int | Literal['auto'] = ...,
        boundary: TopologyBoundaryLike = ...,
    ) -> Component[Literal['topology']]:
        """A concentrated square mesh whose edges have express links over half a side.

        Parameters
        ----------
        link_cycles : integer in 1 to 4096; default 1
            Time of a flit on a link between routers [cycles].
        side : integer in 4 to 1024
            Routers of a side, an even number. A router has four nodes unless `nodes_per_router` says more [routers].
        express_cycles : "auto" or an integer in 1 to 4096; default 'auto'
            Time of a flit on an express link; "auto" is `link_cycles` [cycles].
        nodes_per_router : "auto" or an integer in 1 to 1024; default 'auto'
            Nodes attached to each router that has some, each with injection and ejection ports of its own. "auto" is what the kind says, and 1 where it says nothing [nodes].
        boundary : a kind of topology.boundary
            Slower or narrower links between the tiles of a mesh, such as those between chiplets.
        """
    def tree4(
        self,
        *,
        link_cycles: int = ...,
        nodes_per_router: int | Literal['auto'] = ...,
        boundary: TopologyBoundaryLike = ...,
    ) -> Component[Literal['topology']]:
        """BookSim's tree of 64 nodes: 16 leaves, 8 routers in the middle, two of them above every leaf, and 4 roots.

        Parameters
        ----------
        link_cycles : integer in 1 to 4096; default 1
            Time of a flit on a link between routers [cycles].
        nodes_per_router : "auto" or an integer in 1 to 1024; default 'auto'
            Nodes attached to each router that has some, each with injection and ejection ports of its own. "auto" is what the kind says, and 1 where it says nothing [nodes].
        boundary : a kind of topology.boundary
            Slower or narrower links between the tiles of a mesh, such as those between chiplets.
        """
    def crossbar(
        self,
        *,
        link_cycles: int = ...,
        nodes_per_router: int | Literal['auto'] = ...,
        boundary: TopologyBoundaryLike = ...,
    ) -> Component[Literal['topology']]:
        """One router, with `nodes_per_router` nodes and no links.

        Parameters
        ----------
        link_cycles : integer in 1 to 4096; default 1
            Time of a flit on a link between routers [cycles].
        nodes_per_router : "auto" or an integer in 1 to 1024; default 'auto'
            Nodes attached to each router that has some, each with injection and ejection ports of its own. "auto" is what the kind says, and 1 where it says nothing [nodes].
        boundary : a kind of topology.boundary
            Slower or narrower links between the tiles of a mesh, such as those between chiplets.
        """
    def file(
        self,
        *,
        link_cycles: int = ...,
        path: str | PathLike[str],
        format: Literal['auto', 'native', 'anynet', 'ns3', 'ibnetdiscover', 'htsim'] = ...,
        cycle_ns: float = ...,
        nodes_per_router: int | Literal['auto'] = ...,
        boundary: TopologyBoundaryLike = ...,
    ) -> Component[Literal['topology']]:
        """Any network, read from a file.

        Parameters
        ----------
        link_cycles : integer in 1 to 4096; default 1
            Time of a flit on a link between routers [cycles].
        path : path
            The file of the network.
        format : "auto" or "native" or "anynet" or "ns3" or "ibnetdiscover" or "htsim"; default 'auto'
            The format of the file.
        cycle_ns : float in 0.0 to 1000000.0; default 0.0
            Length of a cycle, for files that give delays in time; 0: unknown, and every link takes `link_cycles` [ns].
        nodes_per_router : "auto" or an integer in 1 to 1024; default 'auto'
            Nodes attached to each router that has some, each with injection and ejection ports of its own. "auto" is what the kind says, and 1 where it says nothing [nodes].
        boundary : a kind of topology.boundary
            Slower or narrower links between the tiles of a mesh, such as those between chiplets.
        """

RouterLike: TypeAlias = Component[Literal['router']] | Mapping[str, Any] | Literal['cut_through', 'wormhole', 'adaptive_cut_through', 'input_output_queued', 'input_queued']

class Router:
    """The router: its data path, buffers and times."""

    def cut_through(
        self,
        *,
        source_queue_packets: int | Literal['infinite'] = ...,
        virtual_channels: int = ...,
        buffer_flits: int = ...,
        credit_cycles: int = ...,
        ejection_channels: int | Literal['infinite'] = ...,
        message_classes: int = ...,
        ejection_packets: int | Literal['infinite'] = ...,
        header_cycles: int = ...,
    ) -> Component[Literal['router']]:
        """Virtual cut-through: whole packets move, every virtual channel has a crossbar input.

        Parameters
        ----------
        source_queue_packets : "infinite" or an integer in 1 to 1048576; default 'infinite'
            Capacity of a source queue (or an admittance queue), including the packets that are being sent. While the queue is full, its node generates nothing [packets].
        virtual_channels : integer in 1 to 16; default 2
            Virtual channels of every link between routers. By default as many as minimal routing needs on a network without a grid, and 2 at least [channels].
        buffer_flits : integer in 1 to 32767; default 32
            Size of the input buffer of each virtual channel. Under cut-through it must hold a whole packet [flits].
        credit_cycles : integer in 1 to 4096; default 1
            Time from the moment a flit leaves a buffer until the router upstream can use its space. Under wormhole, switch_allocation_cycles is added [cycles].
        ejection_channels : "infinite" or an integer in 1 to 64; default 1
            Number of packets that a node consumes at a time, one flit per cycle each; "infinite": one packet from every input. Input i uses channel i modulo this number [channels].
        message_classes : integer in 1 to 16; default 1
            Classes of messages of a program or a host, such as requests and replies. Each has virtual_channels / message_classes channels of every link, and a port of its own at every node, with a source queue and an ejection buffer. workload.class_tags says which message of a program is of which class; a host says it of each message [classes].
        ejection_packets : "infinite" or an integer in 1 to 1048576; default 'infinite'
            Capacity of the ejection buffer of a node, for each message class. A packet of a program keeps its place until a receive asks for its message, a request of workload.generate = "request_reply" until the reply to it has left the node, a message of a host until the host has received it. A full buffer holds packets back in the network [packets].
        header_cycles : integer in 0 to 4096; default 0
            Time from the arrival of a head (or its generation) until it may ask for an output [cycles].
        """
    def wormhole(
        self,
        *,
        source_queue_packets: int | Literal['infinite'] = ...,
        virtual_channels: int = ...,
        message_classes: int = ...,
        buffer_flits: int = ...,
        channel_buffer_flits: Integers = ...,
        credit_cycles: int = ...,
        ejection_channels: int | Literal['infinite'] = ...,
        routing_cycles: int = ...,
        vc_allocation_cycles: int = ...,
        switch_allocation_cycles: int = ...,
        crossbar_cycles: int = ...,
        injection_channels: int = ...,
        injection: Literal['channels', 'shared'] = ...,
        ejection: Literal['channels', 'shared'] = ...,
        sharing: Literal['owned', 'shared', 'shared_whole'] = ...,
        vc_allocator: Literal['central', 'input_first', 'output_first'] = ...,
        switch_allocator: Literal['input_first', 'output_first'] = ...,
        crossbar_inputs: Literal['port', 'channel'] = ...,
        speculative: bool = ...,
    ) -> Component[Literal['router']]:
        """Flits move: allocation of virtual channels and of the switch; packets may be longer than buffers.

        Parameters
        ----------
        source_queue_packets : "infinite" or an integer in 1 to 1048576; default 'infinite'
            Capacity of a source queue (or an admittance queue), including the packets that are being sent. While the queue is full, its node generates nothing [packets].
        virtual_channels : integer in 1 to 16; default 2
            Virtual channels of every link between routers. By default as many as minimal routing needs on a network without a grid, and 2 at least [channels].
        message_classes : integer in 1 to 16; default 1
            Classes of messages of a program or a host, such as requests and replies. Each has virtual_channels / message_classes channels of every link, and a port of its own at every node, with a source queue and an ejection buffer. workload.class_tags says which message of a program is of which class; a host says it of each message [classes].
        buffer_flits : integer in 1 to 32767; default 32
            Size of the input buffer of each virtual channel. Under cut-through it must hold a whole packet [flits].
        channel_buffer_flits : a list of integers in 1 to 32767; default []
            Sizes of the input buffers of the virtual channels of a link, one for each channel in their order; [] gives every channel buffer_flits [flits].
        credit_cycles : integer in 1 to 4096; default 1
            Time from the moment a flit leaves a buffer until the router upstream can use its space. Under wormhole, switch_allocation_cycles is added [cycles].
        ejection_channels : "infinite" or an integer in 1 to 64; default 1
            Number of packets that a node consumes at a time, one flit per cycle each; "infinite": one packet from every input. Input i uses channel i modulo this number [channels].
        routing_cycles : integer in 0 to 4096; default 1
            Time from the moment a head comes to the front of its buffer (or its packet is generated) until it may ask for an output channel [cycles].
        vc_allocation_cycles : integer in 0 to 4096; default 1
            Time from the grant of an output channel until the packet's flits may ask for the switch [cycles].
        switch_allocation_cycles : integer in 0 to 4096; default 1
            Time that a decision of the switch takes [cycles].
        crossbar_cycles : integer in 0 to 4096; default 1
            Time that a flit takes through the crossbar [cycles].
        injection_channels : integer in 1 to 64; default 1
            Number of packets that a node sends at a time [channels].
        injection : "channels" or "shared"; default 'channels'
            What the injection channels of a node carry.
        ejection : "channels" or "shared"; default 'channels'
            What the ejection channels of a node carry.
        sharing : "owned" or "shared" or "shared_whole"; default 'shared_whole'
            When an output channel may be given to the next packet.
        vc_allocator : "central" or "input_first" or "output_first"; default 'input_first'
            How heads are given output channels.
        switch_allocator : "input_first" or "output_first"; default 'input_first'
            How flits get through the switch.
        crossbar_inputs : "port" or "channel"; default 'port'
            What has a crossbar input of its own.
        speculative : bool; default False
            Heads ask the switch in the cycle in which they ask for a channel; needs vc_allocator = "input_first" and vc_allocation_cycles of 1 or more.
        """
    def adaptive_cut_through(
        self,
        *,
        source_queue_packets: int | Literal['infinite'] = ...,
        virtual_channels: int = ...,
        message_classes: int = ...,
        buffer_flits: int = ...,
        credit_cycles: int = ...,
        ejection_channels: int | Literal['infinite'] = ...,
        injection: Literal['channels', 'port'] = ...,
        injection_buffer_flits: int = ...,
        injection_link_cycles: int = ...,
        ejection: Literal['channels', 'port'] = ...,
        ejection_buffer_flits: int = ...,
        ejection_link_cycles: int = ...,
        header_cycles: int = ...,
        turn_cycles: int = ...,
        consumption_cycles: int = ...,
        crossbar_outputs: Literal['link', 'channel'] = ...,
        requests: Literal['parallel', 'in_turn', 'smart', 'random', 'shortest', 'shortest_flits', 'stay'] = ...,
        escape_first: bool = ...,
        transit_first: bool = ...,
        output_gap_cycles: int = ...,
        input_gap_cycles: int = ...,
        refusal_cycles: int = ...,
        first_come: bool = ...,
    ) -> Component[Literal['router']]:
        """Whole packets of one length move; heads choose again in every cycle, rings may have bubbles, nodes several queues.

        Parameters
        ----------
        source_queue_packets : "infinite" or an integer in 1 to 1048576; default 'infinite'
            Capacity of a source queue (or an admittance queue), including the packets that are being sent. While the queue is full, its node generates nothing [packets].
        virtual_channels : integer in 1 to 16; default 2
            Virtual channels of every link between routers. By default as many as minimal routing needs on a network without a grid, and 2 at least [channels].
        message_classes : integer in 1 to 16; default 1
            Classes of messages of a program or a host, such as requests and replies. Each has virtual_channels / message_classes channels of every link, and a port of its own at every node, with a source queue and an ejection buffer. workload.class_tags says which message of a program is of which class; a host says it of each message [classes].
        buffer_flits : integer in 1 to 32767; default 32
            Size of the input buffer of each virtual channel. Under cut-through it must hold a whole packet [flits].
        credit_cycles : integer in 1 to 4096; default 1
            Time from the moment a flit leaves a buffer until the router upstream can use its space. Under wormhole, switch_allocation_cycles is added [cycles].
        ejection_channels : "infinite" or an integer in 1 to 64; default 1
            Number of packets that a node consumes at a time, one flit per cycle each; "infinite": one packet from every input. Input i uses channel i modulo this number [channels].
        injection : "channels" or "port"; default 'channels'
            How packets come from a node to its router.
        injection_buffer_flits : integer in 1 to 32767; default 32
            With injection = "port": size of the buffer that the router has for each injection channel of a node [flits].
        injection_link_cycles : integer in 1 to 4096; default 1
            With injection = "port": time of a flit on the link from a node to its router [cycles].
        ejection : "channels" or "port"; default 'channels'
            How packets come from a router to its nodes.
        ejection_buffer_flits : integer in 1 to 32767; default 32
            With ejection = "port": size of the buffer that a node has for each of its ejection channels [flits].
        ejection_link_cycles : integer in 1 to 4096; default 1
            With ejection = "port": time of a flit on the link from a router to a node [cycles].
        header_cycles : integer in 0 to 4096; default 0
            Time from the arrival of a head (or its generation) until it may ask for an output [cycles].
        turn_cycles : integer in 0 to 4096; default 0
            Additional time for a head with no hops left in the dimension in which it arrived (bubble-1999 in 2-D: 1) [cycles].
        consumption_cycles : integer in 0 to 4096; default 0
            Additional time for a head at the router of its destination (bubble-1999 in 2-D: 1 with dimension order, 2 adaptive) [cycles].
        crossbar_outputs : "link" or "channel"; default 'link'
            What a packet holds from its grant to its tail.
        requests : "parallel" or "in_turn" or "smart" or "random" or "shortest" or "shortest_flits" or "stay"; default 'parallel'
            Which one of the outputs that it may take a head asks for.
        escape_first : bool; default False
            With requests = "parallel": escape channels before the preferred ones.
        transit_first : bool; default False
            At every output packets in the network come before new ones (the rotary rule).
        output_gap_cycles : integer in 0 to 4096; default 0
            Time that an output sends nothing after a tail (bubble-1999: 1 with dimension order, 4 adaptive, from its table 5) [cycles].
        input_gap_cycles : integer in 0 to 4096; default 0
            Time that a crossbar input sends nothing after a tail [cycles].
        refusal_cycles : integer in 1 to 4096; default 1
            Time from a request that is not granted to the head's next request (SICOSYS: 2) [cycles].
        first_come : bool; default False
            At every output the head that might ask first comes first; `arbiter` decides among equals.
        """
    def input_output_queued(
        self,
        *,
        source_queue_packets: int | Literal['infinite'] = ...,
        message_classes: int = ...,
        link_gbps: float = ...,
        flit_bytes: int = ...,
        packet_bytes: int = ...,
        ingress_memory_bytes: int = ...,
        egress_memory_bytes: int = ...,
        crossbar_speedup: float = ...,
        header_cycles: int = ...,
        control_bytes: int = ...,
        credit_batch_packets: int = ...,
    ) -> Component[Literal['router']]:
        """Memories on both sides of a crossbar, whose queues `queueing` sorts packets into; credits take link bandwidth.

        Parameters
        ----------
        source_queue_packets : "infinite" or an integer in 1 to 1048576; default 'infinite'
            Capacity of a source queue (or an admittance queue), including the packets that are being sent. While the queue is full, its node generates nothing [packets].
        message_classes : integer in 1 to 16; default 1
            Classes of messages of a program or a host, such as requests and replies. Each has queues of its own with an equal part of every memory, and a port of its own at every node, with an adapter. workload.class_tags says which message of a program is of which class; a host says it of each message [classes].
        link_gbps : float in 0.001 to 1000000.0; default 8.0
            Bandwidth of every link, one way; it makes the length of a cycle [Gb/s].
        flit_bytes : integer in 1 to 65536; default 8
            Number of bytes that a link moves in one cycle [bytes].
        packet_bytes : integer in 1 to 1048576; default 64
            Length of every packet. Longer messages are cut into packets of this length [bytes].
        ingress_memory_bytes : integer in 1 to 2147483648; default 131072
            Memory of a port before the crossbar [bytes].
        egress_memory_bytes : integer in 1 to 2147483648; default 131072
            Memory of a port behind the crossbar, and of a node's adapter [bytes].
        crossbar_speedup : float in 1.0 to 16.0; default 1.0
            Bandwidth of each input and output of the crossbar, as a multiple of a link's bandwidth.
        header_cycles : integer in 0 to 4096; default 0
            Time from the arrival of a head until it may ask for the crossbar; with a speedup it waits at least until the rest can follow without a gap [cycles].
        control_bytes : integer in 1 to 65536; default 8
            Length of a credit or notice on a link, rounded up to flits [bytes].
        credit_batch_packets : integer in 1 to 1048576; default 4
            Number of credits that are collected, at most a quarter of a queue, before they are sent ahead of packets. On an idle link credits are sent at once [packets].
        """
    def input_queued(
        self,
        *,
        source_queue_packets: int | Literal['infinite'] = ...,
        virtual_channels: int = ...,
        message_classes: int = ...,
        buffer_flits: int = ...,
        routing_cycles: int = ...,
        crossbar_cycles: int = ...,
        credit_cycles: int = ...,
        sharing: Literal['owned', 'shared'] = ...,
        ejection_flits: int | Literal['infinite'] = ...,
        channel_needs_credit: bool = ...,
        input_speedup: int = ...,
        output_speedup: int = ...,
        internal_speedup: float = ...,
        output_queue_flits: int | Literal['infinite'] = ...,
        entry_channel: Literal['next', 'drawn'] = ...,
        planes: int = ...,
        type_planes: Integers = ...,
        type_channels: Integers = ...,
        vc_allocator: Literal['islip', 'separable_input_first', 'separable_output_first', 'wavefront', 'rr_wavefront', 'max_size', 'pim', 'loa', 'select'] = ...,
        vc_requests: Literal['by_port', 'by_channel'] = ...,
        node_ports: Literal['after_links', 'before_links'] = ...,
        input_ports: Literal['as_outputs', 'by_router'] = ...,
        switch_allocator: Literal['islip', 'separable_input_first', 'separable_output_first', 'wavefront', 'rr_wavefront', 'max_size', 'pim', 'loa', 'select'] = ...,
        vc_allocator_iterations: int = ...,
        switch_allocator_iterations: int = ...,
        vc_allocator_arbiter: Literal['round_robin', 'matrix'] = ...,
        switch_allocator_arbiter: Literal['round_robin', 'matrix'] = ...,
        vc_allocator_groups: int = ...,
        switch_allocator_groups: int = ...,
        hold_switch: bool = ...,
        priority: Literal['none', 'age', 'sequence', 'queue_length', 'class'] = ...,
        priority_donation: bool = ...,
        class_priorities: Integers = ...,
        prefer_empty_channels: bool = ...,
        speculation: Literal['off', 'shared', 'separate'] = ...,
        speculation_needs: Literal['nothing', 'channel', 'credit'] = ...,
        speculation_yields: Literal['grants', 'requests'] = ...,
        speculation_allocator: Literal['islip', 'separable_input_first', 'separable_output_first', 'wavefront', 'rr_wavefront', 'max_size', 'pim', 'loa', 'select'] = ...,
        speculation_allocator_iterations: int = ...,
        speculation_allocator_arbiter: Literal['round_robin', 'matrix'] = ...,
        speculation_allocator_groups: int = ...,
    ) -> Component[Literal['router']]:
        """Flits move by the rules of BookSim 2's router: any width, its allocators and speed-ups, nodes behind wires of their own.

        Parameters
        ----------
        source_queue_packets : "infinite" or an integer in 1 to 1048576; default 'infinite'
            Capacity of a source queue (or an admittance queue), including the packets that are being sent. While the queue is full, its node generates nothing [packets].
        virtual_channels : integer in 1 to 16; default 2
            Virtual channels of every link between routers. By default as many as minimal routing needs on a network without a grid, and 2 at least [channels].
        message_classes : integer in 1 to 16; default 1
            Classes of messages of a program or a host, such as requests and replies. Each has virtual_channels / message_classes channels of every link, and a port of its own at every node, with a source queue and an ejection buffer. workload.class_tags says which message of a program is of which class; a host says it of each message [classes].
        buffer_flits : integer in 1 to 32767; default 32
            Size of the input buffer of each virtual channel, and credits of each channel to a node [flits].
        routing_cycles : integer in 0 to 4096; default 1
            Time from the moment a head comes to the front of its buffer until it may ask for an output channel. From 2 cycles on a router routes one batch of heads at a time [cycles].
        crossbar_cycles : integer in 1 to 4096; default 1
            Time that a flit takes through the crossbar. From 2 cycles on a crossbar carries one batch of flits at a time [cycles].
        credit_cycles : integer in 0 to 4096; default 1
            Time from the arrival of a credit at a router until it counts; its link back takes as long as the link [cycles].
        sharing : "owned" or "shared"; default 'shared'
            When an output channel may be given to the next packet.
        ejection_flits : "infinite" or an integer in 1 to 1048576; default 'infinite'
            Capacity of the ejection buffer of a node that a host steps, for each message class. A packet is given a channel to the node while fewer flits than this are on their way there or wait, one packet per step. A message keeps the flits of its last packet until the host has received it [flits].
        channel_needs_credit : bool; default False
            Heads ask only for output channels with a credit.
        input_speedup : integer in 1 to 16; default 1
            Crossbar inputs of a port; channel v uses input v modulo this number [inputs].
        output_speedup : integer in 1 to 16; default 1
            Crossbar outputs of a port; input port i uses output i modulo this number [outputs].
        internal_speedup : float in 1.0 to 64.0; default 1.0
            Steps of a router in a cycle, on average; a link still carries a flit per cycle [steps/cycle].
        output_queue_flits : "infinite" or an integer in 1 to 32767; default 'infinite'
            Flits that wait for their link behind an output port from which on no flit asks for the switch to go there. Those in the crossbar come on top [flits].
        entry_channel : "next" or "drawn"; default 'next'
            Which channel of the wire from a node to its router a packet takes.
        planes : integer in 1 to 16; default 1
            Networks side by side, all alike. Every packet travels in one of them, which is drawn; a node has a port at each, and sends one flit per cycle in all [networks].
        type_planes : a list of integers in 0 to 15; default []
            Where receivers answer (size = "read_write"): the planes of read requests, write requests, read replies and write replies. Packets of classes without answers travel in any, which is drawn, and so do all if the list is empty.
        type_channels : a list of integers in 0 to 15; default []
            Where receivers answer (size = "read_write"): the first and the last virtual channel of read requests, write requests, read replies and write replies, at every port. Ranges may overlap. Packets of classes without answers take all channels. Empty: all channels for all.
        vc_allocator : "islip" or "separable_input_first" or "separable_output_first" or "wavefront" or "rr_wavefront" or "max_size" or "pim" or "loa" or "select"; default 'islip'
            How heads are given output channels.
        vc_requests : "by_port" or "by_channel"; default 'by_port'
            In which order vc_allocator numbers the input channels of a router.
        node_ports : "after_links" or "before_links"; default 'after_links'
            Where the ports of its nodes stand among the ports of a router, for allocators that go by numbers of ports.
        input_ports : "as_outputs" or "by_router"; default 'as_outputs'
            In which order the input ports of a router from other routers are numbered, for allocators that go by numbers of ports.
        switch_allocator : "islip" or "separable_input_first" or "separable_output_first" or "wavefront" or "rr_wavefront" or "max_size" or "pim" or "loa" or "select"; default 'islip'
            How flits get through the switch.
        vc_allocator_iterations : integer in 1 to 64; default 1
            Rounds of vc_allocator = islip, pim or select [rounds].
        switch_allocator_iterations : integer in 1 to 64; default 1
            Rounds of switch_allocator = islip, pim or select [rounds].
        vc_allocator_arbiter : "round_robin" or "matrix"; default 'round_robin'
            Arbiters of a separable vc_allocator.
        switch_allocator_arbiter : "round_robin" or "matrix"; default 'round_robin'
            Arbiters of a separable switch_allocator.
        vc_allocator_groups : integer in 1 to 64; default 1
            Groups of an arbiter of a separable vc_allocator, whose winners compete once more [groups].
        switch_allocator_groups : integer in 1 to 64; default 1
            Groups of an arbiter of a separable switch_allocator, whose winners compete once more [groups].
        hold_switch : bool; default False
            A packet keeps its way through the switch until its tail, or until it has no flit or no credit.
        priority : "none" or "age" or "sequence" or "queue_length" or "class"; default 'none'
            Which flits have the highest priority: under vc_allocator, switch_allocator and speculation_allocator = select, wavefront, rr_wavefront and separable, among the channels of a crossbar input, and at nodes whose classes share a wire.
        priority_donation : bool; default False
            Flits hand their priority on to those before them in their buffer.
        class_priorities : a list of integers in 0 to 1073741824; default []
            Under router.priority = "class": the priority of each of traffic.classes, the highest number first.
        prefer_empty_channels : bool; default False
            Heads would rather have channels whose buffers are empty, under a vc_allocator that looks at priorities.
        speculation : "off" or "shared" or "separate"; default 'off'
            Whether heads ask for the switch in the step in which they ask for a channel. What they are granted counts if they get a channel of that port, with a credit.
        speculation_needs : "nothing" or "channel" or "credit"; default 'credit'
            What a head looks for before it asks for the switch without a channel.
        speculation_yields : "grants" or "requests"; default 'grants'
            When a request of a head without a channel is ignored, where these have an allocator of their own.
        speculation_allocator : "islip" or "separable_input_first" or "separable_output_first" or "wavefront" or "rr_wavefront" or "max_size" or "pim" or "loa" or "select"; default 'islip'
            How heads without a channel get through the switch.
        speculation_allocator_iterations : integer in 1 to 64; default 1
            Rounds of speculation_allocator = islip, pim or select [rounds].
        speculation_allocator_arbiter : "round_robin" or "matrix"; default 'round_robin'
            Arbiters of a separable speculation_allocator.
        speculation_allocator_groups : integer in 1 to 64; default 1
            Groups of an arbiter of a separable speculation_allocator, whose winners compete once more [groups].
        """

FlowControlLike: TypeAlias = Component[Literal['flow_control']] | Mapping[str, Any] | Literal['virtual_cut_through', 'bubble']

class FlowControl:
    """When a packet may enter a virtual channel, where packets move as wholes."""

    def virtual_cut_through(
        self,
    ) -> Component[Literal['flow_control']]:
        """A packet moves on when the next buffer has room for all of it."""
    def bubble(
        self,
        *,
        escape_packets: int = ...,
        new_packets: int = ...,
        scope: Literal['local', 'ring'] = ...,
    ) -> Component[Literal['flow_control']]:
        """As virtual_cut_through; and who enters a ring's escape channel must leave room in it for another packet.

        Parameters
        ----------
        escape_packets : integer in 1 to 1024; default 2
            Packets that must be free where one enters an escape channel; with fewer than 2 rings can fill up [packets].
        new_packets : integer in 0 to 1024; default 0
            Packets that must be free in the own queue of any channel that a new packet takes; 0: none need be [packets].
        scope : "local" or "ring"; default 'local'
            Where `escape_packets` are counted.
        """

RoutingLike: TypeAlias = Component[Literal['routing']] | Mapping[str, Any] | Literal['dimension_order', 'adaptive', 'turn_model', 'valiant', 'o1turn', 'cross_line', 'table', 'minimal', 'ugal_l', 'ugal_g', 'par', 'piggyback', 'up_down', 'layered', 'least_delay', 'minimal_adaptive', 'dal', 'dimwar', 'omniwar', 'two_phase', 'escape_order']

class Routing:
    """Which way packets go, and on which virtual channels."""

    def dimension_order(
        self,
        *,
        datelines: Literal['auto', 'none', 'one', 'two'] = ...,
        dateline_place: Literal['link', 'router', 'entry'] = ...,
        channel_numbering: Literal['reset', 'carry'] = ...,
        middle_channel: Literal['first', 'shared'] = ...,
        straight_on: Literal['class', 'same'] = ...,
        tie: Literal['plus', 'minus', 'sign', 'alternate', 'random'] = ...,
    ) -> Component[Literal['routing']]:
        """Minimal, lowest dimension first; datelines keep rings free of deadlock.

        Parameters
        ----------
        datelines : "auto" or "none" or "one" or "two"; default 'auto'
            Where a packet goes over to the next class of virtual channels.
        dateline_place : "link" or "router" or "entry"; default 'link'
            Where a dateline at router q changes the class. It stands at 0, with `two` also at floor(k/2).
        channel_numbering : "reset" or "carry"; default 'reset'
            The class of virtual channels a packet is in after a turn.
        middle_channel : "first" or "shared"; default 'first'
            Whose the channel in the middle is, where packets are kept apart in two halves of an odd number of channels.
        straight_on : "class" or "same"; default 'class'
            The channels that a head may take which goes on in its dimension. With `selection.kind = "random"` a channel is drawn at a turn and kept up to the next one.
        tie : "plus" or "minus" or "sign" or "alternate" or "random"; default 'plus'
            Direction on a ring when both ways are as long (distance k/2).
        """
    def adaptive(
        self,
        *,
        escape: Literal['dateline', 'mesh', 'ring', 'none'] = ...,
        tie: Literal['plus', 'minus', 'sign', 'alternate', 'random'] = ...,
    ) -> Component[Literal['routing']]:
        """Minimal, fully adaptive; where no adaptive channel is free an escape channel in dimension order.

        Parameters
        ----------
        escape : "dateline" or "mesh" or "ring" or "none"; default 'dateline'
            The channels that a packet takes, in dimension order, while no adaptive channel is free.
        tie : "plus" or "minus" or "sign" or "alternate" or "random"; default 'plus'
            Direction on a ring when both ways are as long (distance k/2).
        """
    def turn_model(
        self,
        *,
        rule: Literal['west_first', 'north_last', 'negative_first', 'odd_even'] = ...,
    ) -> Component[Literal['routing']]:
        """Minimal adaptive on a mesh, with some turns forbidden instead of channels set aside.

        Parameters
        ----------
        rule : "west_first" or "north_last" or "negative_first" or "odd_even"; default 'odd_even'
            Which turns are allowed.
        """
    def valiant(
        self,
        *,
        tie: Literal['plus', 'minus', 'sign', 'alternate', 'random'] = ...,
        to: Literal['auto', 'group', 'router', 'any_router'] = ...,
        classes: Literal['position', 'global', 'ladder', 'booksim', 'supersim'] = ...,
        by: Literal['any', 'between'] = ...,
        own_router: Literal['stays', 'travels'] = ...,
        passing: Literal['phase', 'all'] = ...,
        middle_channel: Literal['first', 'shared'] = ...,
    ) -> Component[Literal['routing']]:
        """By way of a random router or group, and minimal before and after: any pattern looks like uniform traffic.

        Parameters
        ----------
        tie : "plus" or "minus" or "sign" or "alternate" or "random"; default 'plus'
            Direction on a ring when both ways are as long (distance k/2).
        to : "auto" or "group" or "router" or "any_router"; default 'auto'
            Where detours lead by, in a network without a grid.
        classes : "position" or "global" or "ladder" or "booksim" or "supersim"; default 'position'
            How virtual channels are assigned to hops where there are groups. All but "position" are for comparison: the static check says whether packets can wait for each other under them.
        by : "any" or "between"; default 'any'
            By which routers packets go on a grid.
        own_router : "stays" or "travels"; default 'stays'
            What a packet does on a grid that is for a node of its own router.
        passing : "phase" or "all"; default 'phase'
            The channels on a mesh of a packet that leaves the router of its destination for the router drawn.
        middle_channel : "first" or "shared"; default 'first'
            Whose the channel in the middle is, where packets are kept apart in two halves of an odd number of channels.
        """
    def o1turn(
        self,
        *,
        by: Literal['coin', 'queues'] = ...,
        middle_channel: Literal['first', 'shared'] = ...,
        tie: Literal['plus', 'minus', 'sign', 'alternate', 'random'] = ...,
    ) -> Component[Literal['routing']]:
        """Dimension order, x first or y first with equal probability; two dimensions, or a HyperX.

        Parameters
        ----------
        by : "coin" or "queues"; default 'coin'
            Which order a packet takes.
        middle_channel : "first" or "shared"; default 'first'
            Whose the channel in the middle is, where packets are kept apart in two halves of an odd number of channels.
        tie : "plus" or "minus" or "sign" or "alternate" or "random"; default 'plus'
            Direction on a ring when both ways are as long (distance k/2).
        """
    def cross_line(
        self,
        *,
        tie: Literal['plus', 'minus', 'sign', 'alternate', 'random'] = ...,
        margin_flits: int = ...,
        register_bits: int | Literal['auto'] = ...,
        propagation: Literal['ideal', 'stealing'] = ...,
    ) -> Component[Literal['routing']]:
        """X first or y first, whichever row has fewer busy buffers ahead (Cross-Line); two dimensions, router.kind = "cut_through".

        Parameters
        ----------
        tie : "plus" or "minus" or "sign" or "alternate" or "random"; default 'plus'
            Direction on a ring when both ways are as long (distance k/2).
        margin_flits : integer in 0 to 65535; default 0
            A buffer is busy when its upstream router knows of at most this number of free flits [flits].
        register_bits : "auto" or an integer in 0 to 16; default 'auto'
            Length of a VCinfo register; "auto" is k/2 of its dimension, at most 16; with 0 a coin decides [routers].
        propagation : "ideal" or "stealing"; default 'ideal'
            How registers travel against the packets.
        """
    def table(
        self,
        *,
        file: str | PathLike[str],
    ) -> Component[Literal['routing']]:
        """The next hop of every router and destination from a file.

        Parameters
        ----------
        file : path
            A text file with one hop per line: `router destination port [channels]`, as in `5 0 x- 0,1`: routers by number, ports x+, x-, y+ and so on (d3+ from the fourth dimension on) and by number where there is no grid, channels joined by commas. `router destination in PORT port [channels]` is the hop of packets that came in by a port. `layer source destination number` gives packets a layer. A hop without channels has those of the layer: the channels are divided among the layers, and all are of the one layer where there are no others. `#` begins a comment.
        """
    def minimal(
        self,
        *,
        classes: Literal['family', 'booksim'] = ...,
    ) -> Component[Literal['routing']]:
        """The minimal ways of a network without a grid, as its family has them; of several any, as often.

        Parameters
        ----------
        classes : "family" or "booksim"; default 'family'
            How virtual channels are assigned to hops where there are groups.
        """
    def ugal_l(
        self,
        *,
        to: Literal['auto', 'group', 'router', 'any_router'] = ...,
        classes: Literal['position', 'global', 'ladder', 'booksim', 'supersim'] = ...,
        threshold: Literal['exact', 'booksim', 'booksim_ports', 'fogsim', 'sst'] = ...,
        bias_flits: int = ...,
        draws: int = ...,
    ) -> Component[Literal['routing']]:
        """Minimal or by a detour, whichever has the shorter queue for its hops at the source router (UGAL-L).

        Parameters
        ----------
        to : "auto" or "group" or "router" or "any_router"; default 'auto'
            Where detours lead by, in a network without a grid.
        classes : "position" or "global" or "ladder" or "booksim" or "supersim"; default 'position'
            How virtual channels are assigned to hops where there are groups. All but "position" are for comparison: the static check says whether packets can wait for each other under them.
        threshold : "exact" or "booksim" or "booksim_ports" or "fogsim" or "sst"; default 'fogsim'
            When a packet takes its detour: q are the flits that the router owes to the channels of the first hop of each way.
        bias_flits : integer in -1048576 to 1048576; default 0
            What a detour has to be better by [flits].
        draws : integer in 1 to 16; default 1
            Detours that a packet draws, of which it compares the best with the minimal way [detours].
        """
    def ugal_g(
        self,
        *,
        to: Literal['auto', 'group', 'router', 'any_router'] = ...,
        classes: Literal['position', 'global', 'ladder', 'booksim', 'supersim'] = ...,
        bias_flits: int = ...,
        draws: int = ...,
    ) -> Component[Literal['routing']]:
        """An ideal: minimal or by a detour, whichever has fewer flits in all queues of its way (UGAL-G).

        Parameters
        ----------
        to : "auto" or "group" or "router" or "any_router"; default 'auto'
            Where detours lead by, in a network without a grid.
        classes : "position" or "global" or "ladder" or "booksim" or "supersim"; default 'position'
            How virtual channels are assigned to hops where there are groups. All but "position" are for comparison: the static check says whether packets can wait for each other under them.
        bias_flits : integer in -1048576 to 1048576; default 0
            What a detour has to be better by [flits].
        draws : integer in 1 to 16; default 1
            Detours that a packet draws, of which it compares the best with the minimal way [detours].
        """
    def par(
        self,
        *,
        to: Literal['auto', 'group', 'router', 'any_router'] = ...,
        classes: Literal['position', 'global', 'ladder', 'booksim', 'supersim'] = ...,
        threshold: Literal['exact', 'booksim', 'booksim_ports', 'fogsim', 'sst'] = ...,
        bias_flits: int = ...,
        draws: int = ...,
    ) -> Component[Literal['routing']]:
        """As ugal_l, and a packet may still turn to its detour behind a minimal local hop (progressive adaptive routing).

        Parameters
        ----------
        to : "auto" or "group" or "router" or "any_router"; default 'auto'
            Where detours lead by, in a network without a grid.
        classes : "position" or "global" or "ladder" or "booksim" or "supersim"; default 'position'
            How virtual channels are assigned to hops where there are groups. All but "position" are for comparison: the static check says whether packets can wait for each other under them.
        threshold : "exact" or "booksim" or "booksim_ports" or "fogsim" or "sst"; default 'exact'
            When a packet takes its detour: q are the flits that the router owes to the channels of the first hop of each way.
        bias_flits : integer in -1048576 to 1048576; default 0
            What a detour has to be better by [flits].
        draws : integer in 1 to 16; default 1
            Detours that a packet draws, of which it compares the best with the minimal way [detours].
        """
    def piggyback(
        self,
        *,
        to: Literal['auto', 'group', 'router', 'any_router'] = ...,
        classes: Literal['position', 'global', 'ladder', 'booksim', 'supersim'] = ...,
        threshold: Literal['exact', 'booksim', 'booksim_ports', 'fogsim', 'sst'] = ...,
        bias_flits: int = ...,
        draws: int = ...,
        flag_mean: Literal['others', 'all'] = ...,
        flag_percent: int = ...,
        flag_flits: int = ...,
    ) -> Component[Literal['routing']]:
        """As ugal_l, and by a detour where the minimal global link is flagged in its group (PiggyBack).

        Parameters
        ----------
        to : "auto" or "group" or "router" or "any_router"; default 'auto'
            Where detours lead by, in a network without a grid.
        classes : "position" or "global" or "ladder" or "booksim" or "supersim"; default 'position'
            How virtual channels are assigned to hops where there are groups. All but "position" are for comparison: the static check says whether packets can wait for each other under them.
        threshold : "exact" or "booksim" or "booksim_ports" or "fogsim" or "sst"; default 'exact'
            When a packet takes its detour: q are the flits that the router owes to the channels of the first hop of each way.
        bias_flits : integer in -1048576 to 1048576; default 0
            What a detour has to be better by [flits].
        draws : integer in 1 to 16; default 1
            Detours that a packet draws, of which it compares the best with the minimal way [detours].
        flag_mean : "others" or "all"; default 'others'
            Which mean a global link is compared with.
        flag_percent : integer in 0 to 100000; default 200
            A global link is flagged where its router owes it more than this share of a mean, and flag_flits more (Jiang 2009; FOGSim) [%].
        flag_flits : integer in 0 to 1048576; default 40
            What a global link is owed beyond that share where it is flagged: 5 packets of 8 flits (FOGSim has 5 packets) [flits].
        """
    def up_down(
        self,
        *,
        up: Literal['random', 'd_mod_k', 'ecmp', 'spray', 'adaptive'] = ...,
        root: int | Literal['auto'] = ...,
    ) -> Component[Literal['routing']]:
        """Up*/down*: the shortest ways that go up, then down, in a tree or below the root of any other network.

        Parameters
        ----------
        up : "random" or "d_mod_k" or "ecmp" or "spray" or "adaptive"; default 'random'
            Which way a packet takes of several that are equally long. In a tree these differ in their ports up.
        root : "auto" or an integer in 0 to 16777216; default 'auto'
            The router at the top: levels are distances from it, and lower numbers are higher within a level. "auto": in a tree the tree's own levels, elsewhere the router with the least mean distance to all others.
        """
    def layered(
        self,
    ) -> Component[Literal['routing']]:
        """One shortest way per pair of routers of any network, in layers of channels that close no circle."""
    def least_delay(
        self,
    ) -> Component[Literal['routing']]:
        """One way of the least delay per pair of routers of any network, on all channels; the static check says whether it may lock up."""
    def minimal_adaptive(
        self,
    ) -> Component[Literal['routing']]:
        """Minimal in a HyperX, the dimensions in the order in which links owe least; a class of channels per hop."""
    def dal(
        self,
    ) -> Component[Literal['routing']]:
        """In a HyperX the dimensions in any order, with a deroute in each where queues are shorter; a class of channels per hop."""
    def dimwar(
        self,
    ) -> Component[Literal['routing']]:
        """In a HyperX one dimension after the other, with a deroute in each where queues are shorter; 2 classes of channels."""
    def omniwar(
        self,
        *,
        deroutes: int = ...,
    ) -> Component[Literal['routing']]:
        """In a HyperX the dimensions in any order, with some deroutes where queues are shorter; a class of channels per hop.

        Parameters
        ----------
        deroutes : integer in 1 to 8; default 1
            The most hops of a packet that do not align a dimension. There are as many classes of channels as dimensions and deroutes [hops].
        """
    def two_phase(
        self,
        *,
        detour: Literal['always', 'queues'] = ...,
        order: Literal['first', 'either'] = ...,
    ) -> Component[Literal['routing']]:
        """In a HyperX by way of a random router, always or where queues say so, with a half of the channels for each phase.

        Parameters
        ----------
        detour : "always" or "queues"; default 'always'
            Which packets take a detour.
        order : "first" or "either"; default 'first'
            In what order a packet takes the dimensions of each phase.
        """
    def escape_order(
        self,
        *,
        tie: Literal['plus', 'minus', 'sign', 'alternate', 'random'] = ...,
        channels: Literal['escape', 'thirds'] = ...,
        escape_tie: Literal['same', 'random'] = ...,
    ) -> Component[Literal['routing']]:
        """Dimension order with escape channels, as the adaptive routings of BookSim 2 come to.

        Parameters
        ----------
        tie : "plus" or "minus" or "sign" or "alternate" or "random"; default 'plus'
            Direction on a ring when both ways are as long (distance k/2).
        channels : "escape" or "thirds"; default 'escape'
            Which channels a head may take.
        escape_tie : "same" or "random"; default 'same'
            Which way the escape channels lead on a ring when both ways are as long (distance k/2).
        """

SelectionLike: TypeAlias = Component[Literal['selection']] | Mapping[str, Any] | Literal['first', 'random', 'most_credits', 'straight', 'turn']

class Selection:
    """Which of several free channels a head takes, under wormhole and adaptive cut-through."""

    def first(
        self,
    ) -> Component[Literal['selection']]:
        """The lowest channel number; then the highest dimension; then towards higher coordinates."""
    def random(
        self,
    ) -> Component[Literal['selection']]:
        """Any free channel with the same probability."""
    def most_credits(
        self,
    ) -> Component[Literal['selection']]:
        """The channel with the most free flits downstream; ties as `first`."""
    def straight(
        self,
    ) -> Component[Literal['selection']]:
        """A channel of the port straight ahead, the lowest; else, and for new packets, as `first`."""
    def turn(
        self,
    ) -> Component[Literal['selection']]:
        """A channel of another dimension, as `first`; where there is none, and for new packets, as `first`."""

ArbiterLike: TypeAlias = Component[Literal['arbiter']] | Mapping[str, Any] | Literal['round_robin', 'random', 'oldest_first', 'matrix', 'two_level']

class Arbiter:
    """Who gets an output when several heads ask for it."""

    def round_robin(
        self,
    ) -> Component[Literal['arbiter']]:
        """The first asking input after the last winner, by port, then virtual channel, then injection queue."""
    def random(
        self,
    ) -> Component[Literal['arbiter']]:
        """Any asking input with the same probability."""
    def oldest_first(
        self,
    ) -> Component[Literal['arbiter']]:
        """The packet that was generated first; ties go to the lower source node."""
    def matrix(
        self,
    ) -> Component[Literal['arbiter']]:
        """The asking input that was served longest ago; inputs that were never served come first, in the order of round_robin."""
    def two_level(
        self,
        *,
        channel: Literal['highest', 'lowest', 'next'] = ...,
    ) -> Component[Literal['arbiter']]:
        """Round robin over the ports with an asking input, then one channel of that port; an injection queue is a port of its own.

        Parameters
        ----------
        channel : "highest" or "lowest" or "next"; default 'highest'
            Which of the asking channels of a port wins.
        """

RecoveryLike: TypeAlias = Component[Literal['recovery']] | Mapping[str, Any] | Literal['off', 'disha']

class Recovery:
    """What happens to a head that has waited too long, under wormhole."""

    def off(
        self,
    ) -> Component[Literal['recovery']]:
        """Heads wait as long as necessary; there is no recovery lane."""
    def disha(
        self,
        *,
        timeout_cycles: int = ...,
        token: Literal['walk', 'instant'] = ...,
        lane_flits: int = ...,
    ) -> Component[Literal['recovery']]:
        """A head that has failed too often takes the network's token and uses the recovery lane, one packet at a time.

        Parameters
        ----------
        timeout_cycles : integer in 1 to 1073741824; default 8
            Number of failed attempts in a row, one per cycle, after which a head counts as deadlocked [cycles].
        token : "walk" or "instant"; default 'walk'
            How the token gets to a router; "instant" is a bound, with wires that no network has.
        lane_flits : integer in 1 to 32767; default 8
            Buffer of the recovery lane at every link [flits].
        """

InterfaceLike: TypeAlias = Component[Literal['interface']] | Mapping[str, Any] | Literal['sh', 'shp', 'lpath', 'dor', 'random', 'round_robin']

class Interface:
    """Which of a node's injection queues takes a new packet, under adaptive cut-through."""

    def sh(
        self,
        *,
        queues: int = ...,
        channels: Literal['physical', 'virtual'] = ...,
        router_packets: int = ...,
        choose_again: bool = ...,
    ) -> Component[Literal['interface']]:
        """The queue with the fewest flits waiting; among equals the first from a random one on.

        Parameters
        ----------
        queues : integer in 1 to 12; default 1
            Number of injection queues per node, up to two per dimension. Each holds router.source_queue_packets [queues].
        channels : "physical" or "virtual"; default 'physical'
            How packets get from the node's queues to its router.
        router_packets : integer in 1 to 65536; default 8
            Packets of a queue that are at the router at a time, with channels = "virtual" [packets].
        choose_again : bool; default False
            A packet whose queue is full chooses again in every cycle, and not once (FSIN).
        """
    def shp(
        self,
        *,
        queues: int = ...,
        channels: Literal['physical', 'virtual'] = ...,
        router_packets: int = ...,
        choose_again: bool = ...,
    ) -> Component[Literal['interface']]:
        """One queue per direction: of the queues that lead closer, the one with the fewest flits waiting.

        Parameters
        ----------
        queues : integer in 1 to 12; default 1
            Number of injection queues per node, up to two per dimension. Each holds router.source_queue_packets [queues].
        channels : "physical" or "virtual"; default 'physical'
            How packets get from the node's queues to its router.
        router_packets : integer in 1 to 65536; default 8
            Packets of a queue that are at the router at a time, with channels = "virtual" [packets].
        choose_again : bool; default False
            A packet whose queue is full chooses again in every cycle, and not once (FSIN).
        """
    def lpath(
        self,
        *,
        queues: int = ...,
        channels: Literal['physical', 'virtual'] = ...,
        router_packets: int = ...,
        choose_again: bool = ...,
    ) -> Component[Literal['interface']]:
        """One queue per direction: the direction with most hops left, the lowest dimension among equals.

        Parameters
        ----------
        queues : integer in 1 to 12; default 1
            Number of injection queues per node, up to two per dimension. Each holds router.source_queue_packets [queues].
        channels : "physical" or "virtual"; default 'physical'
            How packets get from the node's queues to its router.
        router_packets : integer in 1 to 65536; default 8
            Packets of a queue that are at the router at a time, with channels = "virtual" [packets].
        choose_again : bool; default False
            A packet whose queue is full chooses again in every cycle, and not once (FSIN).
        """
    def dor(
        self,
        *,
        queues: int = ...,
        channels: Literal['physical', 'virtual'] = ...,
        router_packets: int = ...,
        choose_again: bool = ...,
    ) -> Component[Literal['interface']]:
        """One queue per direction: the first dimension with hops left.

        Parameters
        ----------
        queues : integer in 1 to 12; default 1
            Number of injection queues per node, up to two per dimension. Each holds router.source_queue_packets [queues].
        channels : "physical" or "virtual"; default 'physical'
            How packets get from the node's queues to its router.
        router_packets : integer in 1 to 65536; default 8
            Packets of a queue that are at the router at a time, with channels = "virtual" [packets].
        choose_again : bool; default False
            A packet whose queue is full chooses again in every cycle, and not once (FSIN).
        """
    def random(
        self,
        *,
        queues: int = ...,
        channels: Literal['physical', 'virtual'] = ...,
        router_packets: int = ...,
        choose_again: bool = ...,
    ) -> Component[Literal['interface']]:
        """Any queue with the same probability.

        Parameters
        ----------
        queues : integer in 1 to 12; default 1
            Number of injection queues per node, up to two per dimension. Each holds router.source_queue_packets [queues].
        channels : "physical" or "virtual"; default 'physical'
            How packets get from the node's queues to its router.
        router_packets : integer in 1 to 65536; default 8
            Packets of a queue that are at the router at a time, with channels = "virtual" [packets].
        choose_again : bool; default False
            A packet whose queue is full chooses again in every cycle, and not once (FSIN).
        """
    def round_robin(
        self,
        *,
        queues: int = ...,
        channels: Literal['physical', 'virtual'] = ...,
        router_packets: int = ...,
        choose_again: bool = ...,
    ) -> Component[Literal['interface']]:
        """One queue after the other, packet by packet.

        Parameters
        ----------
        queues : integer in 1 to 12; default 1
            Number of injection queues per node, up to two per dimension. Each holds router.source_queue_packets [queues].
        channels : "physical" or "virtual"; default 'physical'
            How packets get from the node's queues to its router.
        router_packets : integer in 1 to 65536; default 8
            Packets of a queue that are at the router at a time, with channels = "virtual" [packets].
        choose_again : bool; default False
            A packet whose queue is full chooses again in every cycle, and not once (FSIN).
        """

QueueingLike: TypeAlias = Component[Literal['queueing']] | Mapping[str, Any] | Literal['single', 'voq_sw', 'voq_net', 'dbbm', 'damq', 'recn']

class Queueing:
    """The queue of a port's side in which a packet waits, under input-output queueing."""

    def single(
        self,
    ) -> Component[Literal['queueing']]:
        """One queue per side of a port: the packet at its front holds up all packets behind it."""
    def voq_sw(
        self,
        *,
        egress_index: Literal['next_turn', 'input_port', 'single'] = ...,
    ) -> Component[Literal['queueing']]:
        """A queue for each port of the switch, with an equal part of the memory.

        Parameters
        ----------
        egress_index : "next_turn" or "input_port" or "single"; default 'next_turn'
            What sorts packets into the queues behind the crossbar; at ports to nodes there is one queue.
        """
    def voq_net(
        self,
    ) -> Component[Literal['queueing']]:
        """A queue for each destination node, with an equal part of the memory: no packet holds up one that goes elsewhere."""
    def dbbm(
        self,
        *,
        queues: int = ...,
    ) -> Component[Literal['queueing']]:
        """A few queues, by destination modulo their number, each with an equal part of the memory.

        Parameters
        ----------
        queues : integer in 1 to 4096; default 8
            Queues of a side, for each message class [queues].
        """
    def damq(
        self,
    ) -> Component[Literal['queueing']]:
        """A queue for each port of the switch; all queues of a side share its memory."""
    def recn(
        self,
        *,
        set_aside_queues: int = ...,
        detection_bytes: int = ...,
        notification_bytes: int = ...,
        xoff_bytes: int = ...,
        xon_bytes: int = ...,
    ) -> Component[Literal['queueing']]:
        """Packets that will pass a congested point wait in set-aside queues, which appear and vanish with congestion.

        Parameters
        ----------
        set_aside_queues : integer in 1 to 32; default 8
            Set-aside queues of each side of a port (recn-mesh-2005 section 3.3: 8) [queues].
        detection_bytes : integer in 0 to 2147483648; default 1310
            An ordinary queue that holds more than this is congested (1 % of the port's memory in the paper) [bytes].
        notification_bytes : integer in 0 to 2147483648; default 1310
            A set-aside queue that holds more than this tells the senders upstream to set packets aside, too [bytes].
        xoff_bytes : integer in 1 to 2147483648; default 1310
            A set-aside queue that holds more than this stops the set-aside queues upstream [bytes].
        xon_bytes : integer in 1 to 2147483648; default 640
            A set-aside queue that holds less than this lets the queues upstream send again [bytes].
        """

AdmissionLike: TypeAlias = Component[Literal['admission']] | Mapping[str, Any] | Literal['off', 'spth', 'self_tuned', 'global_threshold', 'alo', 'u_channels', 'busy_channels', 'entropy', 'inc']

class Admission:
    """Throttling: when a new packet may ask for the network."""

    def off(
        self,
    ) -> Component[Literal['admission']]:
        """Every new packet may ask at once."""
    def spth(
        self,
        *,
        margin_flits: int = ...,
        inclusive: bool = ...,
        level: Literal['edge', 'departed'] = ...,
        register_bits: int | Literal['auto'] = ...,
        registers: Literal['any', 'used'] = ...,
        propagation: Literal['ideal', 'shared_link'] = ...,
    ) -> Component[Literal['admission']]:
        """Holds a packet while a buffer along its first direction is busy (state-propagation throttling).

        Parameters
        ----------
        margin_flits : integer in 0 to 65535; default 0
            A buffer is busy when at most this number of flits is free: th(0), th(8) (spth-2015 section 4.3) [flits].
        inclusive : bool; default True
            Busy when free <= margin (true) or free < margin (false); spth-2015 says both (5.2, 5.3).
        level : "edge" or "departed"; default 'edge'
            When in a cycle the flits in a buffer are counted.
        register_bits : "auto" or an integer in 0 to 64; default 'auto'
            Length of a VCinfo register; "auto" is k/2 of its dimension, at most 32 (spth-2015 section 5.4.4); 0 never throttles [routers].
        registers : "any" or "used"; default 'any'
            Which registers of the first direction hold a packet.
        propagation : "ideal" or "shared_link"; default 'ideal'
            How registers travel against the packets.
        """
    def self_tuned(
        self,
        *,
        tuning_period_cycles: int | Literal['auto'] = ...,
        increment_percent: float = ...,
        decrement_percent: float = ...,
        initial_percent: float = ...,
        drop_fraction: float = ...,
        hill_climbing: bool = ...,
        throttling_sampled: Literal['at_decision', 'any'] = ...,
        avoid_local_maxima: bool = ...,
        max_fraction: float = ...,
        refresh_periods: int | Literal['infinite'] = ...,
        estimate: Literal['extrapolate', 'arrival', 'last'] = ...,
        hop_cycles: int = ...,
        side_band_bits: int | Literal['infinite'] = ...,
        narrow_side_band: Literal['truncated', 'serial'] = ...,
    ) -> Component[Literal['admission']]:
        """Holds every packet while the network is estimated to have too many full buffers; tunes how many are too many.

        Parameters
        ----------
        tuning_period_cycles : "auto" or an integer in 1 to 1099511627776; default 'auto'
            Time from one tuning decision to the next, a multiple of g; "auto": 3 g (self-tuned-2001: 96) [cycles].
        increment_percent : float in 0.0 to 100.0; default 1.0
            Step by which the threshold rises, in percent of all buffers, rounded down [percent].
        decrement_percent : float in 0.0 to 100.0; default 4.0
            Step by which the threshold falls, in percent of all buffers, rounded down [percent].
        initial_percent : float in 0.0 to 100.0; default 1.0
            The threshold at cycle 0, in percent of all buffers, rounded down [percent].
        drop_fraction : float in 0.0 to 1.0; default 0.25
            Bandwidth drops when a period delivers less than 1 - drop_fraction of the period before.
        hill_climbing : bool; default True
            Whether the threshold follows the tuning table (self-tuned-2001 section 4.1).
        throttling_sampled : "at_decision" or "any"; default 'at_decision'
            What "currently throttling" means in the tuning table.
        avoid_local_maxima : bool; default True
            Whether the threshold goes back to the conditions of the best period (self-tuned-2001 section 4.2).
        max_fraction : float in 0.0 to 1.0; default 0.75
            The threshold goes back when a period delivers less than this share of the best period.
        refresh_periods : "infinite" or an integer in 1 to 1073741824; default 5
            After this number of consecutive periods in which it goes back, it forgets the best period (r in the paper) [tuning periods].
        estimate : "extrapolate" or "arrival" or "last"; default 'extrapolate'
            The full buffers of a cycle, from the snapshots known (self-tuned-2001 section 3.1).
        hop_cycles : integer in 1 to 4096; default 2
            Side-band delay to the next router, h. All nodes know the sums after g = floor(k/2) * h cycles per ring ((k - 1) * h per line), dimension by dimension (self-tuned-2001 section 3.1) [cycles].
        side_band_bits : "infinite" or an integer in 2 to 64; default 'infinite'
            Width of the side-band; both numbers need log2(buffers) + log2(g * nodes) bits, each rounded up: 12 + 13 in self-tuned-2001 section 5.1 [bits].
        narrow_side_band : "truncated" or "serial"; default 'truncated'
            How a side-band with fewer bits than needed carries the two numbers.
        """
    def global_threshold(
        self,
        *,
        threshold_buffers: int | Literal['auto'] = ...,
        estimate: Literal['extrapolate', 'arrival', 'last'] = ...,
        hop_cycles: int = ...,
        side_band_bits: int | Literal['infinite'] = ...,
        narrow_side_band: Literal['truncated', 'serial'] = ...,
    ) -> Component[Literal['admission']]:
        """Holds every packet while the estimate of the network's full buffers is above a constant.

        Parameters
        ----------
        threshold_buffers : "auto" or an integer in 0 to 1099511627776; default 'auto'
            Packets may start while at most this number of buffers is full; "auto": 8 % of all, rounded down (self-tuned-2001: 250 of 3072 for random traffic, 50 for butterfly) [buffers].
        estimate : "extrapolate" or "arrival" or "last"; default 'extrapolate'
            The full buffers of a cycle, from the snapshots known (self-tuned-2001 section 3.1).
        hop_cycles : integer in 1 to 4096; default 2
            Side-band delay to the next router, h. All nodes know the sums after g = floor(k/2) * h cycles per ring ((k - 1) * h per line), dimension by dimension (self-tuned-2001 section 3.1) [cycles].
        side_band_bits : "infinite" or an integer in 2 to 64; default 'infinite'
            Width of the side-band; both numbers need log2(buffers) + log2(g * nodes) bits, each rounded up: 12 + 13 in self-tuned-2001 section 5.1 [bits].
        narrow_side_band : "truncated" or "serial"; default 'truncated'
            How a side-band with fewer bits than needed carries the two numbers.
        """
    def alo(
        self,
    ) -> Component[Literal['admission']]:
        """Starts a packet only if all useful ports have a free channel, or one useful port has all its channels free."""
    def u_channels(
        self,
        *,
        min_free_share: float = ...,
    ) -> Component[Literal['admission']]:
        """Starts a packet only while enough of the channels of its useful ports are free.

        Parameters
        ----------
        min_free_share : float in 0.0 to 1.0; default 0.25
            Share of the channels of a packet's useful ports that must be free. The default is not from the paper.
        """
    def busy_channels(
        self,
        *,
        max_busy_channels: int | Literal['auto'] = ...,
    ) -> Component[Literal['admission']]:
        """Starts a packet only while few enough channels of its router's network outputs are busy.

        Parameters
        ----------
        max_busy_channels : "auto" or an integer in 0 to 4096; default 'auto'
            A packet may start while at most this number of channels of its router's network outputs is busy; "auto": half of the router's channels, rounded down [channels].
        """
    def entropy(
        self,
        *,
        min_mobility: float = ...,
        hop_cycles: int = ...,
    ) -> Component[Literal['admission']]:
        """Holds every packet while too small a share of the network's occupied buffers moves (after entropy throttling).

        Parameters
        ----------
        min_mobility : float in 0.0 to 1.0; default 0.5
            Packets may start while at least this number of flits moves per cycle and occupied buffer. The default is not from the paper.
        hop_cycles : integer in 1 to 4096; default 2
            Side-band delay to the next router, h. All nodes know the sums after g = floor(k/2) * h cycles per ring ((k - 1) * h per line), dimension by dimension (self-tuned-2001 section 3.1) [cycles].
        """
    def inc(
        self,
        *,
        interval_cycles: int = ...,
        fall_fraction: float = ...,
        hold_cycles: int = ...,
        max_hold_cycles: int = ...,
    ) -> Component[Literal['admission']]:
        """Holds a router's packets for a time when the flow through it falls while its buffers are full (after INC).

        Parameters
        ----------
        interval_cycles : integer in 1 to 1073741824; default 64
            Length of the intervals in which the flits that pass a router are counted. The default is not from the paper [cycles].
        fall_fraction : float in 0.0 to 1.0; default 0.25
            The flow falls when an interval has less than 1 - fall_fraction of the flits of the interval before. The default is not from the paper.
        hold_cycles : integer in 1 to 1073741824; default 64
            How long packets are held the first time. The default is not from the paper [cycles].
        max_hold_cycles : integer in 1 to 1073741824; default 1024
            Upper limit of the hold time, which doubles each time that the flow falls again. The default is not from the paper [cycles].
        """

TrafficPatternLike: TypeAlias = Component[Literal['traffic.pattern']] | Mapping[str, Any] | Literal['uniform', 'trns', 'shfl', 'bcmp', 'brev', 'brot', 'torn', 'rand', 'rpar', 'butterfly', 'neighbour', 'tornado', 'hot_spot', 'hot_region', 'hot_sources', 'permutation', 'adversarial', 'shift', 'random_permutation', 'destinations', 'weighted', 'steps', 'row_to_column']

class TrafficPattern:
    """To whom nodes send."""

    def uniform(
        self,
        *,
        include_self: bool = ...,
    ) -> Component[Literal['traffic.pattern']]:
        """Uniform random: every packet draws its destination among all nodes.

        Parameters
        ----------
        include_self : bool; default False
            Whether a node may draw itself.
        """
    def trns(
        self,
        *,
        fixed_points: Literal['silent', 'send'] = ...,
    ) -> Component[Literal['traffic.pattern']]:
        """Transpose: (x, y) to (y, x), (x, y, z) to (z, x, y), the diagonal silent; squares and cubes.

        Parameters
        ----------
        fixed_points : "silent" or "send"; default 'silent'
            What a node does that the permutation maps to itself.
        """
    def shfl(
        self,
        *,
        fixed_points: Literal['silent', 'send'] = ...,
    ) -> Component[Literal['traffic.pattern']]:
        """Perfect shuffle: node address rotated left by one bit; power of two of nodes.

        Parameters
        ----------
        fixed_points : "silent" or "send"; default 'silent'
            What a node does that the permutation maps to itself.
        """
    def bcmp(
        self,
    ) -> Component[Literal['traffic.pattern']]:
        """Bit complement: every bit of the node address inverted; power of two of nodes."""
    def brev(
        self,
        *,
        fixed_points: Literal['silent', 'send'] = ...,
    ) -> Component[Literal['traffic.pattern']]:
        """Bit reversal: node address with its bits in reverse order; power of two of nodes.

        Parameters
        ----------
        fixed_points : "silent" or "send"; default 'silent'
            What a node does that the permutation maps to itself.
        """
    def brot(
        self,
        *,
        fixed_points: Literal['silent', 'send'] = ...,
    ) -> Component[Literal['traffic.pattern']]:
        """Bit rotation: node address rotated right by one bit; power of two of nodes.

        Parameters
        ----------
        fixed_points : "silent" or "send"; default 'silent'
            What a node does that the permutation maps to itself.
        """
    def torn(
        self,
        *,
        offset: int | Literal['auto'] = ...,
    ) -> Component[Literal['traffic.pattern']]:
        """Tornado of spth-2015: W to (W + offset) mod nodes; the classical one is `tornado`.

        Parameters
        ----------
        offset : "auto" or an integer in 1 to 4294967295; default 'auto'
            Distance from a node's id to its destination's; auto: half the nodes of a row of the first dimension, the N/2 of the paper [nodes].
        """
    def rand(
        self,
    ) -> Component[Literal['traffic.pattern']]:
        """Random: every packet draws its destination among the other nodes; as uniform without self."""
    def rpar(
        self,
    ) -> Component[Literal['traffic.pattern']]:
        """Random pair: one random perfect matching of the nodes, partners send to each other; even number of nodes."""
    def butterfly(
        self,
        *,
        fixed_points: Literal['silent', 'send'] = ...,
    ) -> Component[Literal['traffic.pattern']]:
        """Butterfly: node address with its highest and lowest bits swapped; power of two of nodes.

        Parameters
        ----------
        fixed_points : "silent" or "send"; default 'silent'
            What a node does that the permutation maps to itself.
        """
    def neighbour(
        self,
        *,
        dimensions: Literal['all', 'first'] = ...,
    ) -> Component[Literal['traffic.pattern']]:
        """Neighbour: x to (x + 1) mod k in every dimension (Dally and Towles), or in the first one only.

        Parameters
        ----------
        dimensions : "all" or "first"; default 'all'
            The dimensions in which the destination is one step up.
        """
    def tornado(
        self,
    ) -> Component[Literal['traffic.pattern']]:
        """Classical tornado (Dally and Towles): x to (x + ceil(k/2) - 1) mod k in every dimension."""
    def hot_spot(
        self,
        *,
        nodes: Integers,
        share_percent: float = ...,
    ) -> Component[Literal['traffic.pattern']]:
        """Hot spot: a share of every node's packets to the listed nodes, the rest uniform without self.

        Parameters
        ----------
        nodes : a list of integers in 0 to 4294967295
            Ids of the hot nodes, each drawn as often as the others; a hot node sends to the other hot ones, and where it is alone all it sends is uniform.
        share_percent : float in 0.0 to 100.0; default 10.0
            Share of a node's packets that go to the hot nodes; the rest goes to any other node, the hot ones among them [% of packets].
        """
    def hot_region(
        self,
        *,
        share_percent: float = ...,
        shape: Literal['band', 'block'] = ...,
        region_percent: float = ...,
        block_routers: Integers = ...,
    ) -> Component[Literal['traffic.pattern']]:
        """Hot region: a share of every node's packets to a contiguous part of the machine, the rest uniform without self.

        Parameters
        ----------
        share_percent : float in 0.0 to 100.0; default 25.0
            Share of a node's packets that go to the region; the rest goes to any other node, the region's among them [% of packets].
        shape : "band" or "block"; default 'band'
            How the region lies in the machine; the paper says only that it is contiguous, its simulator uses the band.
        region_percent : float in 0.0 to 100.0; default 12.5
            Size of a band, rounded down to whole nodes [% of nodes].
        block_routers : a list of integers in 1 to 4294967295; default []
            Size of a block in each dimension, as [16, 8] [routers].
        """
    def hot_sources(
        self,
        *,
        destination: int,
        one_in: int = ...,
        placement: Literal['even', 'random'] = ...,
    ) -> Component[Literal['traffic.pattern']]:
        """Hot sources: a share of the nodes sends everything to one destination, the others uniform without self.

        Parameters
        ----------
        destination : integer in 0 to 4294967295
            Id of the node that hot sources send to; it is no hot source itself.
        one_in : integer in 1 to 4294967295; default 4
            One node out of this number is a hot source: 8 stands for 12.5 % of the nodes, 4 for 25 % [nodes].
        placement : "even" or "random"; default 'even'
            Which nodes are hot sources; the paper does not say.
        """
    def permutation(
        self,
        *,
        file: str | PathLike[str],
    ) -> Component[Literal['traffic.pattern']]:
        """Permutation from a file: one destination per line, or pairs `source destination`.

        Parameters
        ----------
        file : path
            A text file: line i holds the destination of node i, or every line holds a source and its destination; `-` or the node itself: silent; `#` begins a comment.
        """
    def adversarial(
        self,
        *,
        group_nodes: int,
        offset: int = ...,
    ) -> Component[Literal['traffic.pattern']]:
        """Adversarial: every packet goes to a random node of the group that is `offset` groups further on.

        Parameters
        ----------
        group_nodes : integer in 1 to 1073741824
            Nodes of a group, which have consecutive numbers: in a dragonfly `routers_per_group` times `nodes_per_router` [nodes].
        offset : integer in 1 to 1073741824; default 1
            How many groups further on the destination is; the first group follows the last one [groups].
        """
    def shift(
        self,
        *,
        offset: int | Literal['auto'] = ...,
        group_nodes: int | Literal['auto'] = ...,
    ) -> Component[Literal['traffic.pattern']]:
        """Shift: W + offset, modulo the nodes of a group, which may be the whole network.

        Parameters
        ----------
        offset : "auto" or an integer in 1 to 1073741824; default 'auto'
            How many nodes further on the destination is; "auto" is a tornado: half of the group, rounded up, less 1 [nodes].
        group_nodes : "auto" or an integer in 2 to 1073741824; default 'auto'
            Nodes of a group, which have consecutive numbers; "auto" is all nodes. In a HyperX a row of the first dimension has its side times `nodes_per_router`; with an offset of `nodes_per_router` all nodes of a router send to the next one [nodes].
        """
    def random_permutation(
        self,
    ) -> Component[Literal['traffic.pattern']]:
        """Random permutation: one permutation of the nodes, drawn once; a node that it gives itself is silent."""
    def destinations(
        self,
        *,
        nodes: Integers,
    ) -> Component[Literal['traffic.pattern']]:
        """A list with the destination of every node; a node that is its own destination sends to itself.

        Parameters
        ----------
        nodes : a list of integers in 0 to 4294967295
            The destination of node 0, of node 1 and so on.
        """
    def weighted(
        self,
        *,
        nodes: Integers,
        weights: Floats,
    ) -> Component[Literal['traffic.pattern']]:
        """All packets of all nodes to a few nodes, each as often as its weight says; these nodes send to themselves, too.

        Parameters
        ----------
        nodes : a list of integers in 0 to 4294967295
            The nodes that packets go to.
        weights : a list of floats in 0.0 to 1000000000.0
            The weight of each: its share of the packets, in any unit.
        """
    def steps(
        self,
        *,
        steps: Integers,
        weights: Floats,
    ) -> Component[Literal['traffic.pattern']]:
        """Every packet draws a step; node W sends to W + step, modulo the nodes, and with a step of 0 to itself.

        Parameters
        ----------
        steps : a list of integers in 0 to 1073741824
            How many nodes further on destinations are [nodes].
        weights : a list of floats in 0.0 to 1000000000.0
            The weight of each: its share of the packets, in any unit.
        """
    def row_to_column(
        self,
    ) -> Component[Literal['traffic.pattern']]:
        """Nodes are a square, row by row: every packet of row r goes to a random node of column r."""

TrafficProcessLike: TypeAlias = Component[Literal['traffic.process']] | Mapping[str, Any] | Literal['bernoulli', 'periodic', 'on_off']

class TrafficProcess:
    """When a node sends, at a given load."""

    def bernoulli(
        self,
    ) -> Component[Literal['traffic.process']]:
        """A packet starts with probability load / mean packet length in every cycle; in every cycle where that exceeds 1."""
    def periodic(
        self,
        *,
        phase: Literal['random', 'zero'] = ...,
    ) -> Component[Literal['traffic.process']]:
        """One packet every (mean packet length / load) cycles, fractions carried over without drift; at most one per cycle.

        Parameters
        ----------
        phase : "random" or "zero"; default 'random'
            When nodes begin.
        """
    def on_off(
        self,
        *,
        mean_on_cycles: float = ...,
        mean_off_cycles: float = ...,
    ) -> Component[Literal['traffic.process']]:
        """Bursts of geometric length, Bernoulli at load * (on + off) / on within, silent between; the mean is the load.

        Parameters
        ----------
        mean_on_cycles : float in 1.0 to 1000000000.0; default 100.0
            Mean length of a burst [cycles].
        mean_off_cycles : float in 1.0 to 1000000000.0; default 300.0
            Mean length of the silence between bursts [cycles].
        """

TrafficSizeLike: TypeAlias = Component[Literal['traffic.size']] | Mapping[str, Any] | Literal['fixed', 'bimodal', 'distribution', 'read_write']

class TrafficSize:
    """How long packets are."""

    def fixed(
        self,
        *,
        flits: int = ...,
    ) -> Component[Literal['traffic.size']]:
        """Every packet has the same length.

        Parameters
        ----------
        flits : integer in 1 to 65536; default 8
            Length of a packet, header included [flits].
        """
    def bimodal(
        self,
        *,
        short_flits: int = ...,
        long_flits: int = ...,
        long_percent: float = ...,
    ) -> Component[Literal['traffic.size']]:
        """Short packets, and a share of long ones.

        Parameters
        ----------
        short_flits : integer in 1 to 65536; default 16
            Length of a short packet, header included [flits].
        long_flits : integer in 1 to 65536; default 160
            Length of a long packet, header included [flits].
        long_percent : float in 0.0 to 100.0; default 10.0
            Share of the packets that are long; 10 % is inferred from the paper's base latencies [% of packets].
        """
    def distribution(
        self,
        *,
        flits: Integers,
        weights: Floats,
    ) -> Component[Literal['traffic.size']]:
        """Lengths from a list, each as often as its weight says.

        Parameters
        ----------
        flits : a list of integers in 1 to 65536
            The lengths, header included [flits].
        weights : a list of floats in 0.0 to 1000000000.0
            The weight of each length: its share of the packets, in any unit.
        """
    def read_write(
        self,
        *,
        write_fraction: float = ...,
        read_request_flits: int = ...,
        write_request_flits: int = ...,
        read_reply_flits: int = ...,
        write_reply_flits: int = ...,
    ) -> Component[Literal['traffic.size']]:
        """Requests to read and to write, which their receivers answer, as with use_read_write of BookSim 2; the load is that of requests.

        Parameters
        ----------
        write_fraction : float in 0.0 to 1.0; default 0.5
            Share of the requests that are writes [of requests].
        read_request_flits : integer in 1 to 65536; default 1
            Length of a request to read, header included [flits].
        write_request_flits : integer in 1 to 65536; default 1
            Length of a request to write [flits].
        read_reply_flits : integer in 1 to 65536; default 1
            Length of the reply to a read. A reply goes before new requests of its node [flits].
        write_reply_flits : integer in 1 to 65536; default 1
            Length of the reply to a write [flits].
        """

class TrafficClasses(TypedDict, total=False):
    """Classes of packets that share the wire of a node (router kind `input_queued`), 16 at most; see `docs/input_queued.md`. Empty: the pattern, the process and the lengths of this section are those of all packets."""

    share: float
    """Its part of `traffic.load`, beside those of the other classes: shares are divided by their sum."""
    pattern: TrafficPatternLike
    """To whom nodes send in this class."""
    process: TrafficProcessLike
    """When a node sends in this class, at its load."""
    size: TrafficSizeLike
    """How long its packets are."""
    measured: bool
    """Whether its packets count under the workload `periods`: for its figures, its end and its verdict."""
    limits: Floats
    """Under the workload `periods`, the limits of this class in the place of latency_limit_cycles, warmup_latency_change, warmup_accepted_change, latency_change and accepted_change, in this order; -1: no limit. Empty: those of the workload."""

TrafficLike: TypeAlias = Component[Literal['traffic']] | Mapping[str, Any]

class Traffic:
    """Who sends what, when, how long."""

    pattern: Final[TrafficPattern]
    process: Final[TrafficProcess]
    size: Final[TrafficSize]
    def __call__(
        self,
        *,
        load: float = ...,
        packet_flits: int = ...,
        classes: Sequence[TrafficClasses] = ...,
        pattern: TrafficPatternLike = ...,
        process: TrafficProcessLike = ...,
        size: TrafficSizeLike = ...,
    ) -> Component[Literal['traffic']]:
        """Who sends what, when, how long.

        Parameters
        ----------
        load : float in 0.0 to 64.0; default 0.1
            Load that the spec asks of each sending node, under the workload `steady`. Nodes that a permutation maps to themselves stay silent, and no other node sends their share [flits/node/cycle].
        packet_flits : integer in 0 to 65536; default 0
            Messages are cut into packets of this length (router kinds `wormhole` and `adaptive_cut_through`; of a program or a host under every kind, where the last packet of a message may be shorter); `size` gives the length of messages. 0: every message is one packet [flits].
        classes : a list of tables of share, pattern, process, size, measured, limits; default []
            Classes of packets that share the wire of a node (router kind `input_queued`), 16 at most; see `docs/input_queued.md`. Empty: the pattern, the process and the lengths of this section are those of all packets.
        pattern : a kind of traffic.pattern
            To whom nodes send.
        process : a kind of traffic.process
            When a node sends, at a given load.
        size : a kind of traffic.size
            How long packets are.
        """

class WorkloadChanges(TypedDict, total=False):
    """Settings that change while the run goes on, in order of time; at most 1000. See `docs/live.md`."""

    cycle: int
    """The first cycle with the new settings. [cycles]"""
    set: Mapping[str, Any]
    """What is set, by dotted path: `traffic.load`, `traffic.pattern`, `traffic.process` and what is below them; `admission` and what is below it. What is not named stays as it was."""

class WorkloadPhases(TypedDict, total=False):
    """The phases in order of time."""

    cycles: int
    """Length of the phase. [cycles]"""
    load: float
    """Load of each node that sends. [flits/node/cycle]"""
    pattern: TrafficPatternLike
    """To whom nodes send."""

class WorkloadJobs(TypedDict, total=False):
    """Several programs side by side, instead of one: each has a name, nodes of its own, and a duration of its own."""

    name: str
    """Its name: letters, digits, dashes and underscores."""
    file: str | PathLike[str]
    """A program in GOAL, as text or in its binary form, instead of a generated one; with bytes_per_flit, and with clock.cycle_ns where it computes."""
    generate: Mapping[str, Any]
    """What to generate: a collective or another pattern. It is never held whole."""
    placement: Literal['packed', 'random', 'file']
    """At which nodes the ranks are."""
    placement_file: str | PathLike[str]
    """Under placement "file": a text file with the node of rank 0 on its first line, that of rank 1 on the next, and so on; `#` begins a comment."""

WorkloadLike: TypeAlias = Component[Literal['workload']] | Mapping[str, Any] | Literal['steady', 'ramp', 'phases', 'collective', 'periods', 'program', 'host']

class Workload:
    """Which load at which time, and when the run ends."""

    def steady(
        self,
        *,
        warmup_cycles: int = ...,
        measure_cycles: int = ...,
        drain_cycles: int = ...,
        changes: Sequence[WorkloadChanges] = ...,
    ) -> Component[Literal['workload']]:
        """Constant load: warm up, measure, then wait for the measured packets.

        Parameters
        ----------
        warmup_cycles : integer in 0 to 1000000000000; default 10000
            Time before the measured window; packets made in it are not measured [cycles].
        measure_cycles : integer in 1 to 1000000000000; default 20000
            Length of the measured window [cycles].
        drain_cycles : integer in 0 to 1000000000000; default 50000
            Longest wait after the window for the packets that were made in it [cycles].
        changes : a list of tables of cycle, set; default []
            Settings that change while the run goes on, in order of time; at most 1000. See `docs/live.md`.
        """
    def ramp(
        self,
        *,
        end_load_flits_per_node_cycle: float = ...,
        cycles: int = ...,
        window_cycles: int = ...,
    ) -> Component[Literal['workload']]:
        """Load that rises linearly from 0: one run gives a whole curve; traffic.load is not used.

        Parameters
        ----------
        end_load_flits_per_node_cycle : float in 0.0 to 64.0; default 0.275
            Load reached at the end, the load at cycle t being end_load * t / cycles for each node that sends [flits/node/cycle].
        cycles : integer in 1 to 1000000000000; default 2750000
            Length of the ramp and of the run [cycles].
        window_cycles : integer in 1 to 1000000000000; default 100
            Length of the windows in which throughput and latency are recorded [cycles].
        """
    def phases(
        self,
        *,
        phases: Sequence[WorkloadPhases],
        repeat: bool = ...,
        cycles: int | Literal['auto'] = ...,
        warmup_cycles: int = ...,
        window_cycles: int = ...,
    ) -> Component[Literal['workload']]:
        """A list of phases, each with its time, load and pattern; traffic.load and traffic.pattern are not used.

        Parameters
        ----------
        phases : a list of tables of cycles, load, pattern
            The phases in order of time.
        repeat : bool; default False
            Whether the first phase follows the last; otherwise nodes are silent after the last.
        cycles : "auto" or an integer in 1 to 1000000000000; default 'auto'
            Length of the run; auto: every phase once [cycles].
        warmup_cycles : integer in 0 to 1000000000000; default 0
            Time from the begin of the run that the means leave out [cycles].
        window_cycles : integer in 1 to 1000000000000; default 100
            Length of the windows in which throughput and latency are recorded [cycles].
        """
    def collective(
        self,
        *,
        packets_per_node: int = ...,
        window_cycles: int = ...,
        limit_cycles: int = ...,
    ) -> Component[Literal['workload']]:
        """Every node has its packets at cycle 0, the run ends with the last delivery; traffic.load and traffic.process are not used.

        Parameters
        ----------
        packets_per_node : integer in 1 to 1000000000; default 10
            Packets of each node that sends; messages, where these are cut into packets (traffic.packet_flits, router.packet_bytes) [packets].
        window_cycles : integer in 1 to 1000000000000; default 10
            Length of the windows in which throughput, latency and packets in flight are recorded [cycles].
        limit_cycles : integer in 1 to 1000000000000; default 10000000
            The run is given up after this time [cycles].
        """
    def periods(
        self,
        *,
        period_cycles: int = ...,
        warmup_periods: int = ...,
        max_periods: int = ...,
        measures: Literal['latency', 'throughput'] = ...,
        latency_limit_cycles: float = ...,
        warmup_latency_change: float = ...,
        warmup_accepted_change: float = ...,
        latency_change: float = ...,
        accepted_change: float = ...,
        empties_network: bool = ...,
        pairs: bool = ...,
        latency_from: Literal['birth', 'front'] = ...,
    ) -> Component[Literal['workload']]:
        """Constant load: periods of warm-up, then periods that are measured until means settle, as in BookSim.

        Parameters
        ----------
        period_cycles : integer in 1 to 1000000000; default 1000
            Length of a period [cycles].
        warmup_periods : integer in 0 to 1000000; default 3
            Periods of warm-up; 0: until latency and accepted load have changed by less than their limits from one period to the next [periods].
        max_periods : integer in 1 to 1000000; default 10
            Most periods, warm-up included. A run that reaches them is as good as one whose means settled [periods].
        measures : "latency" or "throughput"; default 'latency'
            What is of interest.
        latency_limit_cycles : float in -1.0 to 1000000000000.0; default 500.0
            Mean over the latencies of delivered packets and the ages of flits in flight above which a run is unstable; -1: no limit [cycles].
        warmup_latency_change : float in -1.0 to 1000000000000.0; default 0.05
            With warmup_periods = 0: relative change of the mean latency that ends the warm-up; -1: no limit.
        warmup_accepted_change : float in -1.0 to 1000000000000.0; default 0.05
            With warmup_periods = 0: relative change of the accepted load that ends the warm-up; -1: no limit.
        latency_change : float in -1.0 to 1000000000000.0; default 0.05
            Relative change of the mean latency below which a period counts as settled; three in a row end the run; -1: no limit.
        accepted_change : float in -1.0 to 1000000000000.0; default 0.05
            The same of the accepted load.
        empties_network : bool; default False
            Whether nodes cease to send at the end, and the packets are waited for that have come to the front of their source queue: those that are measured and the flits of all count. BookSim does so; under overload these are the packets that took longest.
        pairs : bool; default False
            Whether a table holds the mean latency of every pair of nodes.
        latency_from : "birth" or "front"; default 'birth'
            From where on the rule counts the latency of a packet, and its age. Columns of records count from the birth on.
        """
    def program(
        self,
        *,
        file: str | PathLike[str] = ...,
        bytes_per_flit: int | Literal['auto'] = ...,
        generate: Mapping[str, Any] = ...,
        placement: Literal['packed', 'random', 'file'] = ...,
        placement_file: str | PathLike[str] = ...,
        jobs: Sequence[WorkloadJobs] = ...,
        only: str = ...,
        class_tags: Integers = ...,
        window_cycles: int = ...,
        limit_cycles: int = ...,
    ) -> Component[Literal['workload']]:
        """Ranks send, receive and compute, and operations wait for each other; the run ends when all have finished. It is generated, or read from a file (docs/programs.md).

        Parameters
        ----------
        file : path; default ''
            A program in GOAL, as text or in its binary form, instead of a generated one; with bytes_per_flit, and with clock.cycle_ns where it computes.
        bytes_per_flit : "auto" or an integer in 1 to 1048576; default 'auto'
            Bytes of a flit, for the lengths in a file, which needs it; "auto": not given [bytes].
        generate : a kind of workload.generate; default 'none'
            What to generate: a collective or another pattern. It is never held whole.
        placement : "packed" or "random" or "file"; default 'packed'
            At which nodes the ranks are.
        placement_file : path; default ''
            Under placement "file": a text file with the node of rank 0 on its first line, that of rank 1 on the next, and so on; `#` begins a comment.
        jobs : a list of tables of name, file, generate, placement, placement_file; default []
            Several programs side by side, instead of one: each has a name, nodes of its own, and a duration of its own.
        only : text; default ''
            The name of the only job that runs, at the nodes that it has among the others; empty: all run.
        class_tags : a list of integers in 0 to 4294967295; default []
            Under router.message_classes: the first tag of each class but the first, in rising order. Messages with lower tags are of the first class. Without it, replies of a generated request_reply are of the second class, and all other messages of the first.
        window_cycles : integer in 1 to 1000000000000; default 100
            Length of the windows in which throughput, latency and packets in flight are recorded [cycles].
        limit_cycles : integer in 1 to 1000000000000; default 1000000000
            The run is given up after this time [cycles].
        """
    def host(
        self,
        *,
        shortest_flits: int = ...,
        longest_flits: int | Literal['auto'] = ...,
        threads: int = ...,
        warmup_cycles: int = ...,
        window_cycles: int = ...,
    ) -> Component[Literal['workload']]:
        """Another simulator steps the network and sends and receives messages (docs/embedding.md); it has no end of its own, and `tailback run` refuses it.

        Parameters
        ----------
        shortest_flits : integer in 1 to 1048576; default 1
            The host sends no shorter message. A network of packets of one length is faster: set longest_flits to the same [flits].
        longest_flits : "auto" or an integer in 1 to 1048576; default 'auto'
            The host sends no longer message. "auto": what a buffer holds where a message is one packet that moves as a whole, else 4096, or 1048576 where messages are cut into packets [flits].
        threads : integer in 1 to 256; default 1
            Threads that a large network uses while the host advances it, which pays where it advances many cycles at a time. Results do not depend on it [threads].
        warmup_cycles : integer in 0 to 1000000000000; default 0
            What is measured begins then, and goes on until the host asks for the record [cycles].
        window_cycles : integer in 1 to 1000000000000; default 10000
            Length of the windows in which throughput, latency and packets in flight are recorded [cycles].
        """

ClockLike: TypeAlias = Component[Literal['clock']] | Mapping[str, Any]

class Clock:
    """How long a cycle is; the simulation itself knows only cycles."""

    def __call__(
        self,
        *,
        cycle_ns: float = ...,
    ) -> Component[Literal['clock']]:
        """How long a cycle is; the simulation itself knows only cycles.

        Parameters
        ----------
        cycle_ns : float in 0.0 to 1000000.0; default 0.0
            Length of a cycle. With it, results are given in ns as well as in cycles; 0: unknown. Router kind input_output_queued derives it from the bandwidth of its links [ns].
        """

ProbesLike: TypeAlias = Component[Literal['probes']] | Mapping[str, Any]

class Probes:
    """What to record in addition to the core columns."""

    def __call__(
        self,
        *,
        window_cycles: int | Literal['auto'] = ...,
        moving_average_windows: int = ...,
        link_load: bool = ...,
        node_load: bool = ...,
        channel_occupancy: bool = ...,
        latency_split: bool = ...,
        injection_queues: bool = ...,
        set_aside_queues: bool = ...,
        occupancy_every_cycles: int = ...,
        load_map_every_cycles: int = ...,
        anatomy_every_cycles: int = ...,
        congestion: bool = ...,
        space_time_cycles: int = ...,
        space_time_from_cycle: int = ...,
        space_time_row: int | Literal['auto'] = ...,
        space_time_column: int | Literal['auto'] = ...,
        operations: bool = ...,
        critical_path: bool = ...,
        alone: bool = ...,
    ) -> Component[Literal['probes']]:
        """What to record in addition to the core columns.

        Parameters
        ----------
        window_cycles : "auto" or an integer in 1 to 1099511627776; default 'auto'
            Length of the windows of the time series; "auto" is the workload's own, or a 200th of a steady run [cycles].
        moving_average_windows : integer in 1 to 1048576; default 1
            Pictures of time series show the moving average over this number of windows (spth-2015 section 5.2: 200) [windows].
        link_load : bool; default False
            Count the flits of every link and virtual channel in the measured window.
        node_load : bool; default False
            Count the flits of every source and every destination in the measured window, and the longest waits.
        channel_occupancy : bool; default False
            Average the flits in the buffers of each direction and virtual channel, over the measured window and window by window.
        latency_split : bool; default False
            Divide the latency of the packets made in the measured window into parts, from the source queue to the wires (docs/latency.md). Runs become several times slower.
        injection_queues : bool; default False
            Average the packets in the injection queues, over the measured window and window by window. Only for router kinds adaptive_cut_through and input_output_queued (packets in admittance).
        set_aside_queues : bool; default False
            Record the set-aside queues in use by kind of side, window by window. Only for queueing kind recn.
        occupancy_every_cycles : integer in 0 to 1099511627776; default 0
            Time between samples of buffer levels and full buffers, per direction and virtual channel; 0: no samples [cycles].
        load_map_every_cycles : integer in 0 to 1099511627776; default 0
            Length of the windows in which the flits that leave each router over its links are counted: the network's map over time; 0: no map [cycles].
        anatomy_every_cycles : integer in 0 to 1099511627776; default 0
            Time between two looks at all packets in the measured window, to find congestion trees, head-of-line blocking, culprits and victims, and the movement of busy areas; 0: never [cycles].
        congestion : bool; default False
            Record full buffers, the throttle's threshold and estimate, escapes and recoveries, window by window.
        space_time_cycles : integer in 0 to 1048576; default 0
            Length of the space-time charts; 0: none (spth-2015 section 3.3) [cycles].
        space_time_from_cycle : integer in 0 to 1099511627776; default 0
            First cycle of the space-time charts [cycles].
        space_time_row : "auto" or an integer in 0 to 1073741824; default 'auto'
            Second coordinate of the routers in the E and W charts; "auto" is floor(k/3).
        space_time_column : "auto" or an integer in 0 to 1073741824; default 'auto'
            First coordinate of the routers in the N and S charts; "auto" is floor(k/3).
        operations : bool; default False
            Of a program: the table `operations`, with the cycles in which each operation was ready, started and finished (docs/programs.md). It takes about 250 bytes for each operation.
        critical_path : bool; default False
            Of a program that completes: the longest chain of causes and where its cycles went, as the table `critical_path` and among the reasons (docs/programs.md). The run is repeated with a look at the network in every cycle.
        alone : bool; default False
            Of a program of several jobs: each job is run alone as well, at the same nodes, for its slow-down by the others (docs/programs.md).
        """

RunLike: TypeAlias = Component[Literal['run']] | Mapping[str, Any]

class Run:
    """How to run."""

    def __call__(
        self,
        *,
        seed: int = ...,
        replicas: int = ...,
        allow_deadlock: bool = ...,
        memory_limit_mib: int | Literal['auto'] = ...,
    ) -> Component[Literal['run']]:
        """How to run.

        Parameters
        ----------
        seed : integer from 0; default 1
            Seed of every random stream.
        replicas : integer in 1 to 100000; default 1
            Repeat every point with seeds seed, seed + 1, and so on [runs].
        allow_deadlock : bool; default False
            Run a configuration although it is known to deadlock.
        memory_limit_mib : "auto" or an integer in 1 to 1099511627776; default 'auto'
            Refuse a network that may need more memory; "auto" is three quarters of this machine's [MiB].
        """
