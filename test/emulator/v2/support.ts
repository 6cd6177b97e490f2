import type { Data } from '../support.js';
import type { Emulator } from '../../../src/emulator.js';

/** The answer of a route of API v2, its body read. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON, where it is that. */
  readonly body: Data;
}

/** Options of {@link ask}. */
export interface AskOptions {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Default the emulator's; null for none. */
  readonly key?: string | null;
}

/** Calls a path below `/api/v2`, or an address as it is. */
export const ask = async (
  emulator: Emulator,
  method: string,
  path: string,
  { body, headers, key = emulator.apiKey }: AskOptions = {},
): Promise<Answered> => {
  const response = await fetch(addressOf(emulator, path), {
    method,
    redirect: 'manual',
    headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? (JSON.parse(text) as Data) : {},
  };
};

const addressOf = ({ baseUrl }: Emulator, path: string): string => {
  if (path.startsWith('http')) return path;
  return path.includes('/api/') ? new URL(path, baseUrl).href : `${baseUrl}/api/v2${path}`;
};

/** Submits a workflow and gives the job's document. */
export const submitJob = async (emulator: Emulator, workflow: unknown): Promise<Data> =>
  (await ask(emulator, 'POST', '/jobs', { body: { workflow } })).body;

/** One event of a stream; a comment has the name `comment`. */
export interface SseEvent {
  readonly event: string;
  readonly data: Data;
}

/** The events of a job as they come, until the stream ends; leaving the loop closes it. */
export async function* eventsOf(emulator: Emulator, jobId: unknown): AsyncGenerator<SseEvent, void> {
  const response = await fetch(addressOf(emulator, `/jobs/${String(jobId)}/events`), {
    headers: { authorization: `Bearer ${emulator.apiKey}` },
  });
  let text = '';
  for await (const piece of response.body ?? []) {
    const blocks = (text + Buffer.from(piece as Uint8Array).toString()).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) yield readBlock(block);
  }
}

const readBlock = (block: string): SseEvent => {
  const [, event = 'comment', data = '{}'] = /^event: (.*)\ndata: (.*)$/u.exec(block) ?? [];
  return { event, data: JSON.parse(data) as Data };
};

/** All events of a job up to its end. */
export const allEventsOf = async (emulator: Emulator, jobId: unknown): Promise<readonly SseEvent[]> => {
  const events: SseEvent[] = [];
  for await (const event of eventsOf(emulator, jobId)) events.push(event);
  return events;
};

/** Waits, turn by turn, until a fact about the emulator holds. */
export const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
};
