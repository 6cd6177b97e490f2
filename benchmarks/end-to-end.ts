import { besideFloor } from './end-to-end/beside-floor.js';
import { besidePeers } from './end-to-end/beside-peers.js';
import type { Benchmark } from './row.js';
import { logUnhandled } from './tools/log-unhandled.js';

/** What a whole job costs. */
export const endToEnd: Benchmark = {
  name: 'end-to-end',
  title:
    'Jobs without delay against the emulator in another process: submission, socket, history. Baseline: a script over ws and undici with the same calls. Peers run against the local dialect, which they are made for, one job after the other; a job that has no end after 2 s hangs.',
  run: async () => [
    ...(await besideFloor('interface')),
    ...(await besideFloor('cloud')),
    ...(await besideFloor('engine')),
    ...(await logUnhandled(besidePeers)),
  ],
};
