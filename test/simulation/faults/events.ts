import { plainJob } from '../plain-job.js';
import { messagesOf, type SimMessage } from '../sim-messages.js';
import type { JobKind, MessageFilter, SimJob } from '../sim-jobs.js';
import type { Effect, Strike } from './effect.js';

/** Group C: what becomes of events, and what others send. */
export const eventFaults = {
  'end is lost': filtering((message) => (isEnd(message) ? [] : once(message))),
  'all events are lost': filtering(() => []),
  'some events are lost': filtering((message, { random }) => (random.chance(0.5) ? [] : once(message))),
  'events come twice': filtering((message) => [
    { message, delayMs: 0 },
    { message, delayMs: 0 },
    { message, delayMs: 400 },
  ]),
  'events come late': filtering((message, { random }) => [{ message, delayMs: random.between(0, 5_000) }]),
  'outputs come after the end': filtering((message) =>
    message.type === 'executed' ? [{ message, delayMs: 10_000 }] : once(message),
  ),
  'nothing says that nothing runs': filtering((message) => (saysNothingRuns(message) ? [] : once(message))),
  'nothing runs, and no end': filtering((message) => (isEnd(message) ? [] : once(message))),
  'nothing seems to run midway': onJob((job) => job.emit(messagesOf(job.promptId, job.plan).nothingRuns)),
  'event without a job': filtering((message) => {
    const data = Object.fromEntries(Object.entries(message.data).filter(([name]) => name !== 'prompt_id'));
    return [{ message: { ...message, data }, delayMs: 0 }];
  }),
  'end contradicts the record': onJob((job) => {
    job.says = job.plan.end === 'failed' ? 'completed' : 'failed';
  }),
  'progress goes back': onJob((job) => {
    const { progress } = messagesOf(job.promptId, job.plan);
    for (const [value, max] of [
      [2, 2],
      [1, 2],
      [0, 0],
      [-1, 1e308],
      ['1', '2'],
    ] as const)
      job.emit(progress(0, value, max));
  }),
  'end is sent again after a reconnect': ({ backend, hit }) => {
    const over = [...backend.jobs.byId.values()].filter(
      ({ endedAt, hiddenUntil }) => endedAt !== undefined && hiddenUntil !== Infinity,
    );
    if (over.length === 0) return;
    backend.sockets.end();
    hit();
    backend.clock.at(5_000, () => {
      for (const { endMessage, phase } of over)
        backend.sockets.send(JSON.stringify(endMessage(phase as JobKind)));
    });
  },
  'another job fails': foreign((say) => [say.start, say.ends.failed]),
  'another job completes': foreign((say) => [
    say.start,
    say.executed(0),
    say.ends.completed,
    say.nothingRuns,
  ]),
  'another job is interrupted': foreign((say) => [say.start, say.ends.cancelled]),
  'flood of other jobs': ({ backend, fault, hit }) => {
    const others = Array.from({ length: 20 }, (_, index) =>
      messagesOf(`foreign-${index}`, { ...plan, nodes: 3, index: 900 + index }),
    );
    let sent = false;
    for (let beat = 0; beat < 20 * fault.size; beat += 1)
      for (const say of others)
        for (const message of [say.start, say.executing(0), say.progress(0, beat, 20)])
          sent = backend.sockets.send(JSON.stringify(message), { delayMs: beat * 20 }) || sent;
    if (sent) hit();
  },
} satisfies Record<string, Effect>;

const once: MessageFilter = (message) => [{ message, delayMs: 0 }];

const isEnd = ({ type }: SimMessage): boolean =>
  type === 'execution_success' || type === 'execution_error' || type === 'execution_interrupted';

const saysNothingRuns = ({ type, data }: SimMessage): boolean =>
  type === 'executing' && data['node'] === null;

function filtering(filter: (message: SimMessage, strike: Strike) => ReturnType<MessageFilter>): Effect {
  return (strike) =>
    strike.victim((job) => {
      job.filters.push((message) => {
        strike.hit();
        return filter(message, strike);
      });
    });
}

function onJob(change: (job: SimJob, strike: Strike) => void): Effect {
  return (strike) =>
    strike.victim((job) => {
      change(job, strike);
      strike.hit();
    });
}

/** A job that this client has not submitted. */
const plan = plainJob(900);

function foreign(story: (say: ReturnType<typeof messagesOf>) => readonly SimMessage[]): Effect {
  return ({ backend, hit }) => {
    for (const message of story(messagesOf('foreign', plan)))
      if (backend.sockets.send(JSON.stringify(message))) hit();
  };
}
