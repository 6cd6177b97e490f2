import type { Ledger } from '../ledger.js';
import { recordDelivery } from '../ledger.js';
import { markOf } from '../local/local-messages.js';
import type { Network } from '../network.js';
import { randomOf } from '../random.js';
import type { JobPlan } from '../schedule.js';
import type { SimClock } from '../sim-clock.js';
import type { SimJob, SimJobs } from '../sim-jobs.js';
import { nodeId, type SimMessage } from '../sim-messages.js';
import type { Answer } from '../sim-rest.js';
import { isHiddenAt } from './v2-answers.js';
import { refusalOf, type V2Marks } from './v2-documents.js';
import { eventsOf, greetingOf, terminalOf, type V2Progress } from './v2-events.js';
import { type V2Stream, v2Streams, type V2Streams } from './v2-streams.js';

/** A service of API v2: what it has besides its jobs. */
export interface V2Service {
  readonly streams: V2Streams;
  readonly marksOf: (promptId: string) => V2Marks;
  readonly takenKeys: Set<string>;
  /** Whether the queue of v1 stands beside API v2. */
  readonly hasQueue: boolean;
  /** Sends a message of a job, as the events that it becomes, to each stream of it. */
  readonly send: (job: SimJob, message: SimMessage, delayMs: number) => void;
  /** Called at the end of a job: some servers then close streams that were told of no end, and some leave them open. */
  readonly ended: (plan: JobPlan) => void;
  /** Acts on each open stream of a job; where none is open, on the next one that opens while the job goes on. */
  readonly reach: (promptId: string, work: (stream: V2Stream) => void) => void;
  /** How each request for a stream is answered instead, until a time. */
  noStreams: { readonly answer: Answer; readonly until: number };
}

/** What the service needs. */
export interface V2ServiceOptions {
  readonly seed: number;
  readonly clock: SimClock;
  readonly network: Network;
  readonly ledger: Ledger;
  readonly knows: (key: string | null) => boolean;
  readonly jobs: () => SimJobs;
}

/** Makes the service, without jobs or streams. */
export const v2Service = ({ seed, clock, network, ledger, knows, jobs }: V2ServiceOptions): V2Service => {
  const marks = new Map<string, V2Marks>();
  const progresses = new Map<string, V2Progress>();
  /** What is to befall the next stream of a job. */
  const waiting = new Map<string, readonly ((stream: V2Stream) => void)[]>();
  const marksOf = (promptId: string): V2Marks => entry(marks, promptId, () => ({}));
  const progressOf = (promptId: string): V2Progress =>
    entry(progresses, promptId, () => ({ done: new Set<string>() }));

  const streams = v2Streams({
    seed,
    clock,
    network,
    ledger,
    knows,
    refusal: (promptId) => {
      if (clock.now() < service.noStreams.until) return service.noStreams.answer;
      const job = jobs().byId.get(promptId);
      return job === undefined || isHiddenAt(job, clock.now()) ? refusalOf(404, 'job_not_found') : undefined;
    },
    opened: (stream) => {
      const job = jobs().byId.get(stream.promptId)!;
      const greeting = greetingOf(job, marksOf(job.promptId), progressOf(job.promptId), clock.now());
      for (const event of greeting) stream.tell(event);
      const works = waiting.get(job.promptId) ?? [];
      waiting.delete(job.promptId);
      if (job.endedAt !== undefined) stream.finish();
      else for (const work of works) work(stream);
    },
  });
  const heard = (job: SimJob, { type, data }: SimMessage): void => {
    ledger.lastFrameAt.set(job.promptId, clock.now());
    // No other event says more than that something happened.
    if (type === 'executed') recordDelivery(ledger, job.promptId, { at: clock.now(), type, data });
  };
  const picture = (stream: V2Stream, job: SimJob, message: SimMessage): void => {
    const bytes = pictureOf(job.plan, message);
    if (bytes === undefined) return;
    const data = { node_id: message.data['node'], content_type: 'image/jpeg', data_base64: base64(bytes) };
    stream.tell({ event: 'preview', data }, { heard: () => heardPicture(job, bytes) });
  };
  const heardPicture = ({ promptId }: SimJob, bytes: Uint8Array): void => {
    const before = ledger.clearFrames.get(promptId) ?? [];
    ledger.clearFrames.set(promptId, [...before, { at: clock.now(), mark: markOf(bytes)!.mark }]);
  };

  const service: V2Service = {
    streams,
    marksOf,
    takenKeys: new Set(),
    hasQueue: randomOf(seed, 42).chance(0.3),
    noStreams: { answer: refusalOf(501, 'not_implemented'), until: 0 },
    send: (job, message, delayMs) => {
      const own = marksOf(job.promptId);
      const events = eventsOf(job, own, progressOf(job.promptId), message);
      const isEnd = terminalOf(message, own) !== undefined;
      for (const stream of streams.of(job.promptId)) {
        for (const event of events) stream.tell(event, { delayMs, heard: () => heard(job, message) });
        picture(stream, job, message);
        if (isEnd) stream.finish();
      }
    },
    ended: (plan) => {
      if (plan.index % 2 === 1) return;
      for (const job of jobs().byId.values())
        if (job.plan === plan) for (const stream of streams.of(job.promptId)) stream.finish(500);
    },
    reach: (promptId, work) => {
      const open = streams.of(promptId);
      for (const stream of open) work(stream);
      if (open.length === 0) waiting.set(promptId, [...(waiting.get(promptId) ?? []), work]);
    },
  };
  return service;
};

const entry = <A>(map: Map<string, A>, key: string, make: () => A): A => {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
};

/** A picture that says whose it is; one comes with each step that a number counts. */
const pictureOf = (plan: JobPlan, { type, data }: SimMessage): Uint8Array | undefined => {
  const { node, value } = data;
  if (type !== 'progress' || typeof value !== 'number' || value < 1 || value > 9) return undefined;
  const place = Number(node) - Number(nodeId(plan, 0));
  return Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, plan.index >> 8, plan.index & 255, place, value);
};

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
