import { type DrawOptions, drawCommands, drawSchedule } from '../draw-schedule.js';
import type { FaultKind } from '../faults/index.js';
import { randomOf } from '../random.js';
import type { Schedule } from '../schedule.js';
import { v2Faults } from './v2-faults.js';

/** What befalls any service and can befall one of API v2, in a fixed order. */
const common: readonly FaultKind[] = [
  'handshake 401',
  'handshake 403',
  'handshake 429',
  'handshake answered as a page',
  'handshake 503, again and again',
  'handshake 502',
  'handshake stalls',
  'handshake refused',
  'sockets open and die',
  'line cut without a word',
  'service falls silent but answers pings',
  'socket reset',
  'socket dies twice',
  'socket closed a little later',
  'machine sleeps',
  'program is busy',
  'wall clock steps',
  'network is down',
  'network is slow',
  'end is lost',
  'all events are lost',
  'some events are lost',
  'events come twice',
  'events come late',
  'end contradicts the record',
  'progress goes back',
  'submission cut after it was accepted',
  'submission cut before it was accepted',
  'submission accepted, answer never comes',
  'submission accepted, answer drips',
  'submission accepted, answer breaks off',
  'submission never leaves',
  'submission accepted, then 500',
  'submission meets 502',
  'submission meets 504 after it was accepted',
  'submission meets 429 with a wait',
  'submission meets 429 with a mad wait',
  'submission meets a full queue',
  'submission meets 400 with a page',
  'submission answered without an id',
  'submission answered with a page',
  'no credits',
  'key is revoked',
  'a read never gets an answer',
  'a read is cut',
  'a read drips',
  'a read breaks off',
  'a read never leaves',
  'reads meet 500 again and again',
  'a read is throttled',
  'a read is answered with a page',
  'a read takes long',
  'a read asks to wait until a date',
  'a submission is asked to wait until a date',
  'a stray 401',
  'a stray 403',
  'a stray 429 without a type',
  'a stray 410',
  'a stray 308',
  'a stray 400',
  'a stray page',
  'a stray error in a 200',
  'a stray empty body',
  'status says an unknown word',
  'job is unknown for a while',
  'own id is unknown for a minute and a half',
  'job vanishes',
  'job waits for long',
  'someone else deletes the job, and nothing is said',
  'someone else interrupts the job',
  'job ends while nobody is connected',
  'status and history have no route',
  'user cancels',
  'user cancels, the job runs on',
  'user leaves',
  'user aborts',
  'page is hidden',
];

const ownKinds = Object.keys(v2Faults) as readonly FaultKind[];

/** What can befall a service of API v2, in a fixed order. */
export const v2FaultKinds: readonly FaultKind[] = [...common, ...ownKinds];

/** Its own faults stand twice, so that they come more often. */
const drawnKinds = [...v2FaultKinds, ...ownKinds];

/** Draws a schedule of API v2: the jobs of the cloud's schedule of this seed, and faults that such a service has. */
export const drawV2Schedule = (seed: number, options?: DrawOptions): Schedule =>
  v2Of(drawSchedule(seed, { ...options, kinds: 'all' }));

/** Draws what a user of API v2 does in any order. */
export const drawV2Commands = (seed: number): Schedule => v2Of(drawCommands(seed, { kinds: 'all' }));

/** A job has one document, which neither trails nor leaves out what an event reported. */
export const v2Of = (drawn: Schedule): Schedule => ({
  ...drawn,
  dialect: 'v2',
  withoutDetail: true,
  jobs: drawn.jobs.map((plan) => ({
    ...plan,
    lagMs: 0,
    lagShows: 'nothing',
    lagsAlways: false,
    tellsReason: false,
    files: plan.files === 'events' ? 'both' : (plan.files ?? 'both'),
  })),
  faults: drawn.faults.map((fault) => ({
    ...fault,
    kind: randomOf(drawn.seed, 41, fault.index).pick(drawnKinds),
  })),
});
