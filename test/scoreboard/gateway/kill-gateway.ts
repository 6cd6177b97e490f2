import { type FSWatcher, watch } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Emulator, startEmulator, textToImageWorkflow } from '../../../src/emulator.js';
import type { Dialect } from '../../../src/node.js';
import type { Random } from '../../simulation/random.js';
import { runCommand } from '../command/run-command.js';
import { readStream, type Seen } from './read-stream.js';

/** When the process is killed: while it submits, after an answer, while a reader reads, while it writes, and once more while it starts again. */
export const killMoments = ['submission', 'answer', 'stream', 'append', 'recovery'] as const;

/** When a gateway is killed. */
export type KillMoment = (typeof killMoments)[number];

/** A submission of the caller and what came back. */
export interface Sent {
  /** The caller's name of it, which is its key and its metadata, and which the service keeps in its ledger. */
  readonly mark: string;
  readonly status: number | undefined;
  readonly id: string | undefined;
}

/** What a world looks like once the gateway has run again and every job had time to end. */
export interface AfterKill {
  readonly sent: readonly Sent[];
  /** What the service ran, by mark, before anything was submitted again and after it. */
  readonly ledger: readonly Entry[];
  readonly ledgerAfterwards: readonly Entry[];
  /** The caller's list. */
  readonly listed: readonly Listed[];
  /** What the caller was answered who sent the same keys again, asking for a replay. */
  readonly repeated: ReadonlyMap<string, { readonly status: number; readonly id: string | undefined }>;
  /** What another caller was shown of the jobs. */
  readonly shown: readonly string[];
  /** The events of a reader that was cut by the kill, and those that it got with the last id. */
  readonly readers: readonly {
    readonly id: string;
    readonly before: readonly Seen[];
    readonly after: readonly Seen[];
  }[];
  /** Whole streams of jobs that have ended, and what a reader gets after each of their events. */
  readonly replays: readonly {
    readonly whole: readonly Seen[];
    readonly tails: readonly (readonly Seen[])[];
  }[];
  /** What a second process on the same folder came to. */
  readonly second: { readonly code: unknown; readonly stderr: string };
}

/** A job in the ledger of the service. */
export interface Entry {
  readonly mark: unknown;
  readonly promptId: string;
  readonly state: string;
}

/** A job in the caller's list. */
export interface Listed {
  readonly id: string;
  readonly mark: string | undefined;
  readonly phase: string;
  readonly candidates: readonly string[] | undefined;
}

const tokens = { one: 'token-of-the-first-caller', other: 'token-of-the-other-caller' };
const ended = ['completed', 'failed', 'cancelled', 'untraceable', 'unknown'];
/** Longer than any job takes. */
const patienceMs = 20_000;
/** Longer than a job is looked for whose submission got no answer. */
const foundWithinMs = 130_000;

/** Plays one gateway over one service: it is killed at the moment, started again on the same folder, and asked for everything. */
export const playKill = async (
  main: string,
  dialect: Dialect,
  moment: KillMoment,
  random: Random,
  endsWithinMs = foundWithinMs,
): Promise<AfterKill> => {
  const folder = await mkdtemp(join(tmpdir(), 'promptwire-g5-'));
  // API v2 itself lists no jobs, among which a lost one could be found.
  const switches = dialect === 'v2' ? { v1Routes: true } : {};
  await using emulator = await startEmulator({ dialect, speed: 20, switches });
  const data = join(folder, 'data');
  const argv = ['serve', '--port', '0', '--data', data, '--dialect', dialect];
  const env = {
    PROMPTWIRE_BASE_URL: emulator.baseUrl,
    PROMPTWIRE_WS_URL: emulator.wsUrl,
    PROMPTWIRE_API_KEY: emulator.apiKey,
    PROMPTWIRE_GATEWAY_TOKENS: `one:${tokens.one},other:${tokens.other}`,
    PROMPTWIRE_STATE_DIR: join(folder, 'state'),
  };
  const start = async () => {
    const running = runCommand({ main, argv, env, withinMs: 2 * foundWithinMs });
    await running.waitForText('listening on');
    const base = /listening on (http:\S+)/u.exec(running.stdout() + running.stderr())?.[1];
    if (base === undefined) throw new Error(`serve said ${running.stderr()}`);
    return { running, base };
  };
  /** The database makes a table of its log, and the process is killed at one of the writes of its start. */
  const killAtStart = async (): Promise<void> => {
    const running = runCommand({ main, argv, env, withinMs: 2 * foundWithinMs });
    live.push(running);
    let left = random.between(1, 6);
    const files = watch(join(data, 'store'), () => {
      left -= 1;
      if (left === 0) running.kill('SIGKILL');
    });
    await running.waitForText('listening on');
    running.kill('SIGKILL');
    await running.ended;
    files.close();
  };
  const live: { kill: (signal: NodeJS.Signals) => void; ended: Promise<unknown> }[] = [];
  try {
    const first = await start();
    live.push(first.running);
    const kill = (): void => first.running.kill('SIGKILL');
    const marks = Array.from({ length: 3 }, (_, at) => `mark-${at}`);
    const files = killAtWrite(data, moment, random, kill);
    const sending = Promise.all(
      marks.map(async (mark, at) => {
        await wait(at * random.between(0, 30));
        return send(first.base, mark);
      }),
    );
    const reading =
      moment === 'submission'
        ? wait(random.between(0, 60)).then(() => [])
        : sending.then((sent) => readUntil(first.base, sent, moment === 'stream' ? random.between(1, 6) : 1));
    const before = await Promise.race([reading, first.running.ended.then(() => [])]);
    kill();
    files?.close();
    await first.running.ended;
    const cut = await reading.then(
      (read) => (read.length > 0 ? read : before),
      () => [],
    );
    const sent = await sending;

    if (moment === 'recovery') await killAtStart();
    const { running, base } = await start();
    live.push(running);
    const other = runCommand({ main, argv, env });
    live.push(other);
    // A refused one ends by itself, and one that is not would never.
    const isServing = await other.waitForText('listening on');
    const second = { code: isServing ? 'serving' : await other.ended, stderr: other.stderr() };
    if (isServing) other.kill('SIGKILL');
    const listed = await allEnded(base, endsWithinMs);
    // Streams of a job that does not end would not end either.
    const isOver = listed.every(({ phase }) => ended.includes(phase));
    const readers = await Promise.all(
      (isOver ? cut : []).map(async ({ id, events }) => ({
        ...{ id, before: events },
        after: await readAll(base, id, `?after=${encodeURIComponent(events.at(-1)!.id)}`),
      })),
    );
    const ledger = await settledLedger(emulator);
    const repeated = new Map<string, { status: number; id: string | undefined }>();
    for (const { mark } of sent) {
      if (!listed.some((job) => job.mark === mark)) continue;
      const { status, id } = await send(base, mark);
      repeated.set(mark, { status: status ?? 0, id });
    }
    const replays = await Promise.all(isOver ? listed.map(({ id }) => replay(base, id)) : []);
    const shown = await shownTo(base, [...listed.map(({ id }) => id), ...sent.flatMap(({ id }) => id ?? [])]);
    return {
      ...{ sent, ledger, listed, repeated, shown, readers, replays, second },
      ledgerAfterwards: entriesOf(emulator),
    };
  } finally {
    for (const { kill } of live) kill('SIGKILL');
    await Promise.all(live.map((one) => one.ended));
    await rm(folder, { recursive: true, force: true });
  }
};

/** Kills at one of the first writes of the database's log. */
const killAtWrite = (
  data: string,
  moment: KillMoment,
  random: Random,
  kill: () => void,
): FSWatcher | undefined => {
  if (moment !== 'append') return undefined;
  let left = random.between(1, 14);
  return watch(join(data, 'store'), (_, name) => {
    if (name?.endsWith('.log') === true && (left -= 1) === 0) kill();
  });
};

const ask = async (base: string, path: string, token: string, init: RequestInit = {}) => {
  const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` };
  const signal = AbortSignal.timeout(patienceMs);
  const response = await fetch(`${base}${path}`, { signal, ...init, headers });
  const text = await response.text();
  return { status: response.status, text, body: (text === '' ? {} : JSON.parse(text)) as Json };
};

type Json = Readonly<Record<string, unknown>>;

const send = async (base: string, mark: string): Promise<Sent> => {
  try {
    const { status, body } = await ask(base, '/api/v2/jobs', tokens.one, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': mark,
        'idempotency-replay': 'true',
      },
      body: JSON.stringify({
        workflow: textToImageWorkflow({ steps: 4, prompt: mark }),
        metadata: { mark },
        extra_data: { extra_pnginfo: { mark } },
      }),
    });
    return { mark, status, id: typeof body['id'] === 'string' ? body['id'] : undefined };
  } catch {
    return { mark, status: undefined, id: undefined };
  }
};

const openEvents = async (base: string, id: string, query: string) => {
  const response = await fetch(`${base}/jobs/${id}/events${query}`, {
    headers: { authorization: `Bearer ${tokens.one}`, accept: 'text/event-stream' },
  });
  return response.body === null || !response.ok ? undefined : readStream(response.body, 'sse', patienceMs);
};

/** Reads each job that was answered until one of the readers has so many events. */
const readUntil = async (base: string, sent: readonly Sent[], count: number) => {
  let isEnough = false;
  const readers = await Promise.all(
    sent.map(async ({ id }) => {
      const reading = id === undefined ? undefined : await openEvents(base, id, '').catch(() => undefined);
      const events: Seen[] = [];
      const done = (async () => {
        while (reading !== undefined && !isEnough) {
          const event = await reading.next();
          if (typeof event === 'string') return;
          events.push(event);
          isEnough ||= events.length >= count;
        }
      })();
      return { id, events, done };
    }),
  );
  await Promise.race(readers.map(({ done }) => done));
  return readers.flatMap(({ id, events }) =>
    id === undefined || events.length === 0 ? [] : [{ id, events }],
  );
};

/** All events of a job to the end of its stream; fewer where that does not come. */
const readAll = async (base: string, id: string, query: string): Promise<readonly Seen[]> => {
  const reading = await openEvents(base, id, query);
  const events: Seen[] = [];
  for (let event = await reading?.next(); typeof event === 'object'; event = await reading?.next()) {
    events.push(event);
  }
  return events;
};

const replay = async (base: string, id: string) => {
  const whole = await readAll(base, id, '?from=start');
  const tails: (readonly Seen[])[] = [];
  for (const event of whole) tails.push(await readAll(base, id, `?after=${encodeURIComponent(event.id)}`));
  return { whole, tails };
};

const allEnded = async (base: string, withinMs: number): Promise<readonly Listed[]> => {
  const until = Date.now() + withinMs;
  for (;;) {
    const { body } = await ask(base, '/jobs', tokens.one);
    const listed = (body['jobs'] as readonly Json[]).map(listedOf);
    if (Date.now() > until || listed.every(({ phase }) => ended.includes(phase))) return listed;
    await wait(50);
  }
};

const listedOf = ({ id, metadata, state }: Json): Listed => {
  const { phase, failure } = state as {
    readonly phase: string;
    readonly failure?: { readonly candidates?: readonly string[] };
  };
  const mark = (metadata as { readonly mark?: string } | undefined)?.mark;
  return { id: String(id), mark, phase, candidates: failure?.candidates };
};

const entriesOf = (emulator: Emulator): readonly Entry[] =>
  emulator.ledger.jobs.map(({ promptId, state, extraData }) => ({
    ...{ promptId, state },
    mark: (extraData['extra_pnginfo'] as Json | undefined)?.['mark'],
  }));

/** The ledger once every job of the service has ended. */
const settledLedger = async (emulator: Emulator): Promise<readonly Entry[]> => {
  const until = Date.now() + patienceMs;
  const isOpen = ({ state }: Entry): boolean => state === 'pending' || state === 'in_progress';
  while (Date.now() < until && entriesOf(emulator).some(isOpen)) await wait(50);
  return entriesOf(emulator);
};

/** What a caller learns of the jobs who has none. */
const shownTo = async (base: string, ids: readonly string[]): Promise<readonly string[]> => {
  const shown: string[] = [];
  const list = await ask(base, '/jobs', tokens.other);
  if ((list.body['jobs'] as readonly unknown[]).length > 0) shown.push('the list');
  for (const id of new Set(ids)) {
    for (const path of [`/jobs/${id}`, `/api/v2/jobs/${id}`, `/jobs/${id}/events`]) {
      if ((await ask(base, path, tokens.other)).status !== 404) shown.push(path);
    }
  }
  return shown;
};
