import { canaryKey } from '../helpers/canaries.js';
import { sinks } from '../helpers/sinks.js';
import { plainJob } from '../simulation/plain-job.js';
import { realClient } from '../simulation/play.js';
import { randomOf } from '../simulation/random.js';
import type { Workflow } from '../../src/core/protocol/workflow.js';
import type { JobPlan } from '../simulation/schedule.js';
import { makeBackend, type Backend } from '../simulation/backend.js';
import { watch, type Watcher } from '../simulation/watcher.js';
import type { Figure } from './figure.js';
import { watchProcess } from './process-health.js';

const hourMs = 3_600_000;
const dayHours = 24;
const jobsPerHour = 4;
const slopeKiBPerDay = 10;
/** So many days go by before the heap is looked at: the engine's own memory for what runs often grows until then. */
const warmUpDays = 25;

/** A month of one client. */
export const soak: Figure = {
  id: 'soak',
  what: 'soak: virtual days with a reset every ten minutes, nightly sleep, daily key, clock steps',
  target:
    '30 days after 25 of warming up: every job settles in time, nothing is left, heap slope ≤ 10 KiB a day',
  count: 30,
  splits: false,
  run: async ({ from, count }) => {
    const days = count < leastForSlope ? count : warmUpDays + count;
    const seenByProcess = watchProcess();
    const random = randomOf(from, 11);
    const plans: JobPlan[] = [];
    const backend = makeBackend({ seed: from, platform: 'node', jobs: plans, faults: [] });
    const client = realClient(backend.platform);
    client.frames.subscribe({ error: () => undefined });
    const problems: string[] = [];
    const heap: number[] = [];
    let [jobs, drift] = [0, 0];

    for (let hour = 0; hour < days * dayHours; hour += 1) {
      const endsAt = (hour + 1) * hourMs;
      const isNight = hour % dayHours === 2;
      disturb(backend, hour, random.between, client.setKey);
      const watchers: Watcher[] = [];
      plans.length = 0;
      for (let index = 0; index < jobsPerHour; index += 1) {
        const plan = planOf(plans.length, random.between);
        plans.push(plan);
        backend.clock.deliver(random.between(0, isNight ? 60_000 : 40 * 60_000), () =>
          watchers.push(
            watch(client.run(workflowOf(plan)), {
              job: plan.index,
              name: 'run',
              clock: backend.clock,
              settled: () => undefined,
            }),
          ),
        );
      }
      // What was due while the machine slept comes late by as much.
      await backend.clock.run(Math.max(endsAt, backend.clock.now()) - 60_000);
      await backend.clock.run(endsAt);
      for (const watcher of watchers) {
        jobs += 1;
        const problem = problemOf(watcher, backend, isNight);
        if (problem !== undefined) problems.push(`hour ${hour}: ${problem}`);
      }
      drift = Math.max(drift, Math.abs(backend.clock.now() - endsAt));
      forget(backend);
      if (hour % dayHours === dayHours - 1) heap.push(heapKiB());
    }
    await client.close();
    await backend.clock.run(backend.clock.now() + 1_000);
    const left = backend.clock.clientTimers() + backend.sockets.held() + backend.rest.held();
    if (left > 0) problems.push(`I7 ${left} things are left`);
    return {
      counts: {
        days,
        jobs,
        'sockets opened': backend.sockets.opened(),
        'ms of drift': drift,
        'KiB of heap a day': Math.round(slopeOf(heap.slice(warmUpDays)) * 10) / 10,
        left,
      },
      problems: [...problems.slice(0, 5), ...(await seenByProcess())],
    };
  },
  shortfalls: ({ counts }, days) =>
    days < leastForSlope || (counts['KiB of heap a day'] ?? 0) <= slopeKiBPerDay ? [] : ['the heap grows'],
};

/** Fewer days have no slope. */
const leastForSlope = 20;

type Between = (least: number, most: number) => number;

const disturb = (backend: Backend, hour: number, between: Between, setKey: (key: string) => void): void => {
  for (let minute = between(1, 10); minute < 60; minute += between(5, 15))
    backend.clock.at(minute * 60_000, () => backend.sockets.end({ errorCode: 'ECONNRESET' }));
  if (hour % dayHours === 2) backend.clock.at(5 * 60_000, () => backend.clock.sleep(50 * 60_000));
  if (hour % dayHours === 9)
    backend.clock.deliver(0, () => {
      const key = canaryKey(`of-day-${Math.floor(hour / dayHours)}`);
      backend.keys.add(key);
      setKey(key);
    });
  if (hour % 7 === 0) backend.clock.at(30 * 60_000, () => backend.clock.stepWall(between(-hourMs, hourMs)));
};

const planOf = (index: number, between: Between): JobPlan => ({
  ...plainJob(index),
  queueMs: between(0, 5_000),
  nodes: between(1, 3),
  stepMs: between(0, 3_000),
  lagMs: between(0, 1_000),
});

const workflowOf = ({ index }: JobPlan): Workflow => ({
  1: { class_type: 'Correlation', inputs: { correlation: index } },
});

const problemOf = (watcher: Watcher, backend: Backend, isNight: boolean): string | undefined => {
  const end = watcher.end();
  if (end?.phase !== 'completed') return `job ${watcher.job} is ${watcher.states.at(-1)?.phase ?? 'unknown'}`;
  const { endedAt = 0 } = backend.jobs.byId.get(end.promptId) ?? {};
  const late = watcher.settledAt()! - endedAt;
  return late > 60_000 && !isNight ? `job ${watcher.job} settled after ${late} ms` : undefined;
};

/** The backend's own memory is not the client's. */
const forget = ({ ledger, jobs, sockets }: Backend): void => {
  ledger.accepted.length = 0;
  ledger.requests.length = 0;
  ledger.handshakes.length = 0;
  for (const kept of [ledger.delivered, ledger.lastFrameAt, ledger.moments]) kept.clear();
  for (const kept of [ledger.untruths, ledger.drops, ledger.cuts, ledger.resumes, ledger.stops])
    kept.length = 0;
  jobs.byId.clear();
  sockets.forget();
};

const heapKiB = (): number => {
  // What waits to be searched is no client's memory either.
  sinks.flush();
  // What a first collection ends may hold more.
  for (let times = 0; times < 3; times += 1) globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1024;
};

/** The median of the slopes between any two days: what is compiled anew on one day is no growth, and moves no median. */
const slopeOf = (values: readonly number[]): number => {
  const slopes = values
    .flatMap((from, day) => values.slice(day + 1).map((to, index) => (to - from) / (index + 1)))
    .sort((one, other) => one - other);
  return slopes[Math.floor(slopes.length / 2)] ?? 0;
};
