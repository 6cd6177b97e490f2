import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGateway, type Gateway, memoryEventLog } from '../../../src/gateway.js';
import { filePorts } from '../../../src/gateway-node.js';
import type { JobState } from '../../../src/core/state/job-state.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';
import { type Random, randomOf } from '../../simulation/random.js';
import { drawLife, lifeWorkflow } from './draw-life.js';
import { nativeJudge } from './native-judge.js';
import { readStream, type Seen, type StreamReading } from './read-stream.js';
import { clientOf, type PlayedJob, playedService, previewOf } from '../../gateway/support.js';
import type { Beginning, StreamJudge } from './stream-judge.js';
import { lastingPart, type ToldJob, toldJob } from './told-job.js';
import { v2Judge } from './v2-judge.js';

/** What one world of cuts came to. */
export interface PlayedCuts {
  readonly cuts: number;
  readonly forged: number;
  readonly gaps: number;
  readonly events: number;
  readonly restarts: number;
  readonly problems: readonly string[];
}

/** Puts itself between a reader and the gateway, for planted bugs. */
export type WrapFetch = (fetch: Gateway['fetch']) => Gateway['fetch'];

/** What a world has, as it was drawn. */
interface Plan {
  readonly port: 'memory' | 'files';
  /** The log keeps no more events than this. */
  readonly maxEvents: number | undefined;
  readonly jobs: number;
  readonly restarts: boolean;
}

interface WorldJob {
  readonly owner: string;
  readonly played: PlayedJob;
  readonly told: ToldJob;
  readonly rest: JobState[];
  isAskedToEnd: boolean;
}

/** A reader that is cut again and again. */
interface Reader {
  readonly name: string;
  readonly path: string;
  readonly format: 'sse' | 'ndjson';
  readonly byHeader: boolean;
  readonly isOfOneJob: boolean;
  readonly judge: StreamJudge;
  readonly from: 'start' | 'latest' | undefined;
  open: StreamReading | undefined;
  lastId: string | undefined;
  isOver: boolean;
  cutsAfterEnd: number;
}

/** Plays one world: jobs that live while readers of every kind are cut, and go on by the id of their last event. */
export const playCuts = async (seed: number, wrap: WrapFetch = (fetch) => fetch): Promise<PlayedCuts> => {
  const random = randomOf(seed, 16);
  const plan = drawPlan(random);
  const folder = plan.port === 'files' ? await mkdtemp(join(tmpdir(), 'promptwire-g2-')) : undefined;
  const world = cutWorld(random, plan, folder, wrap);
  try {
    await world.start();
    await world.live();
    return world.report();
  } finally {
    await world.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
};

const drawPlan = (random: Random): Plan => {
  const port = random.chance(0.35) ? 'files' : 'memory';
  const maxEvents = random.chance(0.25) ? random.between(4, 16) : undefined;
  return {
    ...{ port, maxEvents },
    jobs: random.between(1, 3),
    restarts: port === 'files' && random.chance(0.6),
  };
};

const cutWorld = (random: Random, plan: Plan, folder: string | undefined, wrap: WrapFetch) => {
  const service = playedService();
  const client = clientOf(service);
  const clock = virtualClock();
  const jobs: WorldJob[] = [];
  const readers: Reader[] = [];
  const problems: string[] = [];
  const tally = { cuts: 0, forged: 0, events: 0, restarts: 0 };
  let gateway: Gateway;
  let fetch: Gateway['fetch'];
  let foreignIds: string[] = [
    '',
    'x',
    '~',
    '~s',
    '00ff-1',
    'abcdefabcdef-3',
    'gap~3',
    '999999999999999999999',
  ];

  const start = async (): Promise<void> => {
    const limits = { maxEvents: plan.maxEvents };
    const ports =
      folder === undefined
        ? { log: memoryEventLog(limits) }
        : await filePorts(folder, { ...limits, sync: false });
    gateway = createGateway({
      ...{ client, clock, ...ports },
      authorize: (request) => ({ name: request.headers.get('x-caller') ?? '' }),
      limits: { requestsPerSecond: 1e9, streams: 1_000 },
    });
    fetch = wrap(gateway.fetch);
    await gateway.ready;
  };
  const call = async (
    owner: string,
    path: string,
    init: { method?: string; body?: string; headers?: Readonly<Record<string, string>> } = {},
  ): Promise<Response> =>
    fetch(
      new Request(`http://gateway.test${path}`, { ...init, headers: { ...init.headers, 'x-caller': owner } }),
    );
  const callJson = async (owner: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const post = {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    };
    const answer = await call(owner, path, body === undefined ? {} : post);
    return (await answer.json()) as Record<string, unknown>;
  };

  /** Everything that the service gave is in the log. */
  const settle = async ({ owner, told }: WorldJob): Promise<void> => {
    for (let turn = 0; turn < 2_000; turn += 1) {
      const { state } = (await callJson(owner, `/jobs/${told.id}`)) as { state: Record<string, unknown> };
      if (lastingPart(state) === lastingPart(told.state())) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
    problems.push('GET of a job does not give the state that the service gave');
  };
  const submit = async (owner: string): Promise<WorldJob> => {
    const document = await callJson(owner, '/api/v2/jobs', { workflow: lifeWorkflow });
    const own = service.jobs.at(-1)!;
    const [first, ...rest] = drawLife(random, own.promptId);
    const told = toldJob(String(document['id']), first!);
    const job = { owner, played: own, told, rest, isAskedToEnd: false };
    jobs.push(job);
    return job;
  };
  const move = async (job: WorldJob): Promise<void> => {
    for (let steps = random.between(1, 3); steps > 0; steps -= 1) {
      const next = job.rest.shift();
      if (next === undefined) break;
      job.told.tell(next);
      job.played.move(next);
      if (random.chance(0.2)) job.played.frame(previewOf(job.played, '1', random.between(1, 200)));
    }
    if (random.chance(0.5)) await settle(job);
  };
  const askForEnd = async (job: WorldJob): Promise<void> => {
    await settle(job);
    if (job.told.hasEnded()) return;
    job.isAskedToEnd = true;
    await call(job.owner, `/jobs/${job.told.id}/cancel`, { method: 'POST' });
    job.told.askForEnd();
    await settle(job);
  };

  const ofAlice = (): readonly ToldJob[] =>
    jobs.filter(({ owner }) => owner === 'alice').map(({ told }) => told);
  const newReader = (): Reader => {
    const job = random.pick(ofAlice());
    const view = random.pick(['native', 'native', 'all', 'v2', 'v2'] as const);
    const from = random.pick([undefined, undefined, 'start', 'latest'] as const);
    const path = { native: `/jobs/${job.id}/events`, all: '/events', v2: `/api/v2/jobs/${job.id}/events` }[
      view
    ];
    const format = random.pick(['sse', 'ndjson'] as const);
    const judge =
      view === 'v2' ? v2Judge(job, from) : nativeJudge(view === 'all' ? ofAlice : () => [job], from);
    return {
      name: `${view} ${format} from ${from ?? 'a snapshot'}`,
      ...{ path, format, judge, from },
      byHeader: random.chance(0.5),
      isOfOneJob: view !== 'all',
      open: undefined,
      lastId: undefined,
      isOver: false,
      cutsAfterEnd: 0,
    };
  };

  const openStream = async (reader: Reader): Promise<void> => {
    const isForged = random.chance(0.05);
    const after = isForged ? random.pick(foreignIds.filter((id) => id !== '')) : reader.lastId;
    // Which events come `from=latest` is certain once the log has all that was.
    if (after === undefined && reader.from === 'latest') for (const job of jobs) await settle(job);
    const query = new URLSearchParams();
    if (reader.from !== undefined) query.set('from', reader.from);
    if (after !== undefined && !reader.byHeader) query.set('after', after);
    const beginning: Beginning = isForged ? 'forged' : after === undefined ? 'fresh' : 'resumed';
    tally.forged += isForged ? 1 : 0;
    reader.judge.begin(beginning, after);
    const answer = await call('alice', `${reader.path}?${String(query)}`, {
      headers: {
        ...(reader.format === 'ndjson' && { accept: 'application/x-ndjson' }),
        ...(after !== undefined && reader.byHeader && { 'last-event-id': after }),
      },
    });
    const { told } = jobs.find(({ told: one }) => reader.path.includes(one.id)) ?? {};
    if (
      answer.status === 204 &&
      beginning === 'resumed' &&
      told?.hasEnded() === true &&
      !reader.judge.lacks()
    ) {
      reader.cutsAfterEnd = 2;
      reader.isOver = true;
      return;
    }
    if (answer.status !== 200 || answer.body === null) {
      problems.push(`${reader.name}: a stream was answered ${answer.status}`);
      reader.isOver = true;
      return;
    }
    reader.open = readStream(answer.body, reader.format);
  };
  const cut = async (reader: Reader): Promise<void> => {
    await reader.open?.cut();
    if (reader.open !== undefined) tally.cuts += 1;
    reader.open = undefined;
  };
  const take = (reader: Reader, event: Seen): void => {
    tally.events += 1;
    reader.judge.take(event);
    reader.lastId = event.id;
  };
  /** Reads some events, where some must come; then the connection is cut. */
  const read = async (reader: Reader): Promise<void> => {
    if (reader.open === undefined) await openStream(reader);
    const isAtEnd = (): boolean =>
      reader.isOfOneJob &&
      !reader.judge.lacks() &&
      jobs.some(({ told }) => reader.path.includes(told.id) && told.hasEnded());
    for (let left = random.pick([0, 1, 1, 1, 1, 2, 3]); left > 0; left -= 1) {
      if (!reader.judge.lacks() && !isAtEnd()) break;
      const wasAtEnd = isAtEnd();
      const event = (await reader.open?.next()) ?? 'end';
      if (typeof event === 'string') {
        if (event === 'end' && wasAtEnd) reader.cutsAfterEnd += 1;
        else if (event === 'end') problems.push(`${reader.name}: the stream ended too early`);
        else problems.push(`${reader.name}: ${event} where ${wasAtEnd ? 'the end' : 'an event'} was to come`);
        if (event === 'silence') reader.isOver = true;
        break;
      }
      take(reader, event);
    }
    if (random.chance(0.5))
      for (let next = reader.open?.arrived(); next !== undefined; next = reader.open?.arrived())
        take(reader, next);
    // Once in a while it stays, and reads on later.
    if (random.chance(0.9)) await cut(reader);
    if (reader.cutsAfterEnd >= 2) reader.isOver = true;
  };
  const restart = async (): Promise<void> => {
    for (const job of jobs) await settle(job);
    for (const reader of readers) await cut(reader);
    await gateway.close();
    await start();
    tally.restarts += 1;
  };

  const readForeign = async (): Promise<void> => {
    const answer = await call('bob', '/events');
    const reading = readStream(answer.body!, 'sse');
    const event = await reading.next();
    if (typeof event !== 'string') foreignIds = [...foreignIds, event.id];
    await reading.cut();
  };

  const live = async (): Promise<void> => {
    await submit('alice');
    await submit('bob');
    await readForeign();
    for (let count = random.between(3, 6); count > 0; count -= 1) readers.push(newReader());
    let jobsLeft = plan.jobs - 1;
    for (let step = 0; step < 1_000; step += 1) {
      await clock.advance(random.between(1, 50));
      const living = jobs.filter(({ rest }) => rest.length > 0);
      const reading = readers.filter(({ isOver }) => !isOver);
      if (living.length === 0 && reading.every(({ judge }) => !judge.lacks())) {
        // Everything is read; those of one job see its end twice more.
        if (reading.every(({ isOfOneJob }) => !isOfOneJob)) break;
      }
      const draw = random.next();
      if (draw < 0.2 && living.length > 0) await move(random.pick(living));
      else if (draw < 0.22 && jobsLeft > 0) {
        jobsLeft -= 1;
        await submit('alice');
        readers.push(newReader());
      } else if (draw < 0.23 && living.some(({ isAskedToEnd }) => !isAskedToEnd))
        await askForEnd(random.pick(living.filter(({ isAskedToEnd }) => !isAskedToEnd)));
      else if (draw < 0.24 && plan.restarts) await restart();
      else if (draw < 0.27 && living.length > 0 && readers.length < 12) readers.push(newReader());
      else if (reading.length > 0) await read(random.pick(reading));
      if (problems.length > 3) break;
    }
    for (const reader of readers) {
      await cut(reader);
      reader.judge.finish();
      if (plan.maxEvents === undefined && reader.judge.gaps() > 0)
        problems.push(`${reader.name}: a gap was said where nothing is lost`);
      problems.push(...reader.judge.problems.map((problem) => `${reader.name}: ${problem}`));
    }
  };

  return {
    start,
    live,
    close: () => gateway.close(),
    report: (): PlayedCuts => ({
      ...tally,
      gaps: readers.reduce((sum, { judge }) => sum + judge.gaps(), 0),
      problems: problems.map((problem) => `${describe(plan)}: ${problem}`),
    }),
  };
};

const describe = ({ port, maxEvents }: Plan): string =>
  `${port}${maxEvents === undefined ? '' : `, ${maxEvents} events kept`}`;
