import type { Effect } from './effect.js';

/** Group B: the line and the clocks. */
export const timeFaults = {
  'line cut without a word': ({ backend, hit }) => {
    const socket = backend.sockets.live();
    if (socket === undefined) return;
    socket.carries = false;
    backend.ledger.cuts.push(backend.clock.now());
    hit();
  },
  'service falls silent but answers pings': ({ backend, hit }) => {
    const socket = backend.sockets.live();
    if (socket === undefined) return;
    socket.silent = true;
    hit();
  },
  'socket reset': ended({ code: 1006, errorCode: 'ECONNRESET' }),
  'socket closed with 1000': ended({ code: 1000, reason: 'bye' }),
  'socket closed with 1013': ended({ code: 1013 }),
  'socket closed for invalid text': ended({ code: 1007 }),
  'socket dies twice': ({ backend, fault, hit }) => {
    if (backend.sockets.end()) hit();
    backend.clock.at(1_000 + fault.size * 20_000, () => backend.sockets.end());
  },
  'socket closed a little later': ({ backend, fault, hit }) =>
    backend.clock.at(100 + fault.size * 5_000, () => {
      if (backend.sockets.live() !== undefined && backend.sockets.end({ code: 1001 })) hit();
    }),
  'machine sleeps': ({ backend, fault, hit }) => {
    const ms = 1_000 * 28_800 ** fault.size;
    backend.clock.sleep(ms);
    backend.untrue(backend.clock.now() + ms, { isSleep: true });
    // Half of the lines are dead after a sleep, and no message says so.
    const socket = backend.sockets.live();
    if (socket !== undefined && ms > 30_000 && fault.index % 2 === 0) socket.carries = false;
    hit();
  },
  'program is busy': ({ backend, fault, hit }) => {
    const ms = 20_000 * fault.size;
    backend.clock.sleep(ms);
    backend.untrue(backend.clock.now() + ms, { isSleep: true });
    hit();
  },
  'wall clock steps': ({ backend, random, hit }) => {
    backend.clock.stepWall(random.pick([-3_600_000, 3_600_000, -1_767_225_600_000, 86_400_000]));
    hit();
  },
  'network is down': ({ backend, fault, hit }) => {
    const ms = 10_000 * 60 ** fault.size;
    backend.network.downUntil = Math.max(backend.network.downUntil, backend.clock.now() + ms);
    backend.untrue(backend.clock.now() + ms);
    const socket = backend.sockets.live();
    if (fault.index % 2 === 0) backend.sockets.end({ errorCode: 'ENETDOWN' });
    else if (socket !== undefined) socket.carries = false;
    hit();
  },
  'network is slow': ({ backend, fault, hit }) => {
    backend.network.slowMs = 3_000 * fault.size;
    backend.network.slowUntil = backend.clock.now() + 60_000;
    backend.untrue(backend.clock.now() + 60_000);
    hit();
  },
} satisfies Record<string, Effect>;

function ended(end: object): Effect {
  return ({ backend, hit }) => {
    if (backend.sockets.end(end)) hit();
  };
}
