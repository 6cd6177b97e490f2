import { inParallel } from '../../helpers/in-parallel.js';
import { readStream } from './read-stream.js';
import { textToImageWorkflow } from '../../../src/emulator.js';

const honestAtOnce = 4;
const patienceMs = 60_000;

/** What an honest caller had of one job. */
export interface Honest {
  readonly mark: string;
  readonly id: string;
  /** Until the submission was answered. */
  readonly answeredMs: number;
  /** Until its output was read. */
  readonly wholeMs: number;
}

/** A gateway, and a caller of it. */
export interface Caller {
  readonly base: string;
  readonly token: string;
}

/** A caller whose failures are kept. */
export interface WatchedCaller extends Caller {
  readonly attempt: <Value>(what: string, make: () => Promise<Value>) => Promise<Value | undefined>;
}

const ask = ({ base, token }: Caller, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${base}${path}`, {
    ...init,
    headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(patienceMs),
  });

/** Submits a small job, once by its mark; gives its id. */
export const submit = async (caller: Caller, mark: string): Promise<string> => {
  const response = await ask(caller, '/api/v2/jobs', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': mark },
    body: JSON.stringify({
      workflow: textToImageWorkflow({ steps: 2, width: 64, height: 64, prompt: mark }),
      metadata: { mark },
      extra_data: { extra_pnginfo: { mark } },
    }),
  });
  const body = (await response.json()) as { readonly id?: unknown };
  if (response.status !== 201) throw new Error(`answered ${response.status}: ${JSON.stringify(body)}`);
  return String(body.id);
};

/** Runs honest jobs, a few at once: each is submitted, followed to its end, and its output read. */
export const playHonest = async (
  caller: WatchedCaller,
  name: string,
  many: number,
): Promise<readonly Honest[]> => {
  const done: Honest[] = [];
  const marks = Array.from({ length: many }, (_, nth) => `${name}-${nth}`);
  await inParallel(marks, honestAtOnce, async (mark) => {
    await caller.attempt(mark, async () => {
      const began = performance.now();
      const id = await submit(caller, mark);
      const answeredMs = performance.now() - began;
      const phase = await followToEnd(caller, id);
      if (phase !== 'completed') throw new Error(`ended as ${phase}`);
      await readOutput(caller, id);
      done.push({ mark, id, answeredMs, wholeMs: performance.now() - began });
    });
  });
  return done;
};

const followToEnd = async (caller: Caller, id: string): Promise<string> => {
  const response = await ask(caller, `/jobs/${id}/events?from=start`, {
    headers: { accept: 'text/event-stream' },
  });
  if (response.body === null || !response.ok) throw new Error(`its events: ${response.status}`);
  const reading = readStream(response.body, 'sse', patienceMs);
  let phase = 'nothing';
  for (let event = await reading.next(); typeof event === 'object'; event = await reading.next()) {
    const { state, status } = event.data as Readonly<Record<string, { readonly phase?: string } | undefined>>;
    phase = status?.phase ?? state?.phase ?? phase;
    if (['completed', 'failed', 'cancelled', 'untraceable'].includes(phase)) break;
  }
  await reading.cut();
  return phase;
};

const readOutput = async (caller: Caller, id: string): Promise<void> => {
  const response = await ask(caller, `/jobs/${id}`);
  const text = await response.text();
  if (!response.ok) throw new Error(`its state: ${response.status}`);
  const [address] = /\/jobs\/[^"]*\/outputs\/[^"]*/u.exec(text) ?? [];
  if (address === undefined) throw new Error(`no output: ${text.slice(0, 600)}`);
  const output = await ask(caller, address);
  const { byteLength } = await output.arrayBuffer();
  if (!output.ok || byteLength === 0) throw new Error(`its output: ${output.status}, ${byteLength} bytes`);
};

/** The marks of all honest jobs that are listed as completed. */
export const completedMarks = async (caller: Caller): Promise<ReadonlySet<unknown>> => {
  const marks = new Set<unknown>();
  let query = '?limit=100';
  for (;;) {
    const response = await ask(caller, `/jobs${query}`);
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 200)}`);
    const page = JSON.parse(text) as {
      readonly jobs: readonly {
        readonly metadata?: { readonly mark?: string };
        readonly state: { readonly phase: string };
      }[];
      readonly next?: string;
    };
    for (const { metadata, state } of page.jobs) if (state.phase === 'completed') marks.add(metadata?.mark);
    if (page.next === undefined) return marks;
    query = `?limit=100&cursor=${encodeURIComponent(page.next)}`;
  }
};
