import type { Effect } from './effect.js';

/** Group B: the line and the clocks. */
export const timeFaults = {
  'line cut without a word': ({ world, hit }) => {
    const socket = world.sockets.live();
    if (socket === undefined) return;
    socket.carries = false;
    world.ledger.cuts.push(world.clock.now());
    hit();
  },
  'service falls silent but answers pings': ({ world, hit }) => {
    const socket = world.sockets.live();
    if (socket === undefined) return;
    socket.silent = true;
    hit();
  },
  'socket reset': ended({ code: 1006, errorCode: 'ECONNRESET' }),
  'socket closed with 1000': ended({ code: 1000, reason: 'bye' }),
  'socket closed with 1013': ended({ code: 1013 }),
  'socket closed for invalid text': ended({ code: 1007 }),
  'socket dies twice': ({ world, fault, hit }) => {
    if (world.sockets.end()) hit();
    world.clock.at(1_000 + fault.size * 20_000, () => world.sockets.end());
  },
  'socket closed a little later': ({ world, fault, hit }) =>
    world.clock.at(100 + fault.size * 5_000, () => {
      if (world.sockets.live() !== undefined && world.sockets.end({ code: 1001 })) hit();
    }),
  'machine sleeps': ({ world, fault, hit }) => {
    const ms = 1_000 * 28_800 ** fault.size;
    world.clock.sleep(ms);
    world.untrue(world.clock.now() + ms, { isSleep: true });
    // Half of the lines are dead after a sleep, and nobody says so.
    const socket = world.sockets.live();
    if (socket !== undefined && ms > 30_000 && fault.index % 2 === 0) socket.carries = false;
    hit();
  },
  'program is busy': ({ world, fault, hit }) => {
    const ms = 20_000 * fault.size;
    world.clock.sleep(ms);
    world.untrue(world.clock.now() + ms, { isSleep: true });
    hit();
  },
  'wall clock steps': ({ world, random, hit }) => {
    world.clock.stepWall(random.pick([-3_600_000, 3_600_000, -1_767_225_600_000, 86_400_000]));
    hit();
  },
  'network is down': ({ world, fault, hit }) => {
    const ms = 10_000 * 60 ** fault.size;
    world.network.downUntil = Math.max(world.network.downUntil, world.clock.now() + ms);
    world.untrue(world.clock.now() + ms);
    const socket = world.sockets.live();
    if (fault.index % 2 === 0) world.sockets.end({ errorCode: 'ENETDOWN' });
    else if (socket !== undefined) socket.carries = false;
    hit();
  },
  'network is slow': ({ world, fault, hit }) => {
    world.network.slowMs = 3_000 * fault.size;
    world.network.slowUntil = world.clock.now() + 60_000;
    world.untrue(world.clock.now() + 60_000);
    hit();
  },
} satisfies Record<string, Effect>;

function ended(end: object): Effect {
  return ({ world, hit }) => {
    if (world.sockets.end(end)) hit();
  };
}
