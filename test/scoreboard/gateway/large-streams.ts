import { type Caller } from './honest-caller.js';
import { readStream } from './read-stream.js';

const patienceMs = 120_000;

/** Runs a job of thousands of nodes, and reads its events from their beginning by several streams; says what was wrong. */
export const largeStreams = async ({ base, token }: Caller, strength: number): Promise<readonly string[]> => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const many = Math.max(10, Math.round(300 * Math.min(1, strength)));
  const workflow = Object.fromEntries(
    Array.from({ length: many }, (_, nth) => [String(nth), { class_type: 'SlowNode', inputs: { steps: 2 } }]),
  );
  const made = await fetch(`${base}/jobs`, { method: 'POST', headers, body: JSON.stringify({ workflow }) });
  const { id } = (await made.json()) as { readonly id?: string };
  if (id === undefined) return [`the job of ${many} nodes: ${made.status}`];
  const read = async (path: string, format: 'sse' | 'ndjson'): Promise<readonly string[]> => {
    const accept = format === 'sse' ? 'text/event-stream' : 'application/x-ndjson';
    const answer = await fetch(`${base}${path}`, { headers: { ...headers, accept } });
    if (answer.body === null || !answer.ok) return [`${path}: ${answer.status}`];
    const reading = readStream(answer.body, format, patienceMs);
    let phase = 'nothing';
    for (let event = await reading.next(); typeof event === 'object'; event = await reading.next()) {
      phase = phaseIn(event.data) ?? phase;
      if (phase === 'completed' || phase === 'failed') break;
    }
    await reading.cut();
    return phase === 'completed' ? [] : [`${path} ended as ${phase}`];
  };
  const live = await Promise.all([
    read(`/jobs/${id}/events?from=start`, 'sse'),
    read(`/jobs/${id}/events`, 'ndjson'),
  ]);
  const late = await Promise.all(
    Array.from({ length: 8 }, () => read(`/jobs/${id}/events?from=start`, 'sse')),
  );
  return [...live, ...late].flat();
};

/** The phase that an event tells; a snapshot has the job among those that the stream begins with. */
const phaseIn = (data: Readonly<Record<string, unknown>>): string | undefined => {
  const { state, status, jobs } = data as {
    readonly state?: { readonly phase: string };
    readonly status?: { readonly phase: string };
    readonly jobs?: readonly { readonly state: { readonly phase: string } }[];
  };
  return (status ?? state ?? jobs?.[0]?.state)?.phase;
};
