import { type DrawOptions, drawCommands, drawSchedule } from '../draw-schedule.js';
import type { FaultKind } from '../faults/index.js';
import { randomOf } from '../random.js';
import type { Schedule } from '../schedule.js';
import { localFaults } from './local-faults.js';

/** What befalls any service and can befall a local server, in a fixed order. */
const common: readonly FaultKind[] = [
  'handshake answered as a page',
  'handshake 503, again and again',
  'handshake 502',
  'handshake stalls',
  'handshake refused',
  'sockets open and die',
  'line cut without a word',
  'service falls silent but answers pings',
  'socket reset',
  'socket closed with 1000',
  'socket closed with 1013',
  'socket closed for invalid text',
  'socket dies twice',
  'socket closed a little later',
  'machine sleeps',
  'program is busy',
  'wall clock steps',
  'network is down',
  'network is slow',
  'all events are lost',
  'events come twice',
  'events come late',
  'unknown event',
  'unknown binary message',
  'short binary messages',
  'metadata longer than its message',
  'broken JSON',
  'JSON of another shape',
  'JSON of great depth',
  'reserved names as ids',
  'numbers that are none',
  'pictures without a job',
  'submission cut after it was accepted',
  'submission cut before it was accepted',
  'submission accepted, answer never comes',
  'submission accepted, answer drips',
  'submission accepted, answer breaks off',
  'submission never leaves',
  'submission accepted, then 500',
  'submission meets 502',
  'submission meets 504 after it was accepted',
  'submission meets 400 with a page',
  'submission answered without an id',
  'submission answered with a page',
  'a read never gets an answer',
  'a read is cut',
  'a read drips',
  'a read breaks off',
  'a read never leaves',
  'reads meet 500 again and again',
  'a read is answered with a page',
  'a read takes long',
  'job waits for long',
  'someone else interrupts the job',
  'job ends while nobody is connected',
  'user cancels',
  'user cancels, the job runs on',
  'user leaves',
  'user aborts',
];

const ownKinds = Object.keys(localFaults) as readonly FaultKind[];

/** What can befall a local server, in a fixed order. */
export const localFaultKinds: readonly FaultKind[] = [...common, ...ownKinds, 'page is hidden'];

/** What is drawn at random; its own faults stand twice, so that they come more often, but for the long queue, which is dear. */
const drawnKinds = [
  ...common,
  ...ownKinds,
  ...ownKinds.filter((kind) => kind !== 'local: thousands of others wait'),
];

/** Draws a schedule of a local server: the jobs of the cloud's schedule of this seed, and faults that such a server has. */
export const drawLocalSchedule = (seed: number, options?: DrawOptions): Schedule =>
  localOf(drawSchedule(seed, options));

/** Draws what a user of a local server does in any order. */
export const drawLocalCommands = (seed: number): Schedule => localOf(drawCommands(seed));

const localOf = (drawn: Schedule): Schedule => ({
  ...drawn,
  dialect: 'local',
  jobs: drawn.jobs.map((plan) => {
    const random = randomOf(drawn.seed, 22, plan.index);
    return {
      ...plan,
      clientless: random.chance(0.3),
      blocked: random.chance(0.1),
      oddNumbers: random.chance(0.1),
    };
  }),
  faults: drawn.faults.map((fault) => ({
    ...fault,
    kind: randomOf(drawn.seed, 23, fault.index).pick(drawnKinds),
  })),
});
