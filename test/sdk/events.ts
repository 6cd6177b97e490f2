import assert from 'node:assert/strict';
import { judgeEvent } from './judge.js';
import type { SdkTarget } from './target.js';

/** One frame of an event stream. */
export interface SeenEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An event stream that plain `fetch` reads. */
export interface RawStream extends AsyncDisposable {
  readonly status: number;
  readonly headers: Headers;
  /** The frames, each once its empty line has come; comments are left out. */
  readonly events: AsyncIterable<SeenEvent>;
  /** Every text so far, comments included. */
  readonly text: () => string;
}

/** The statuses after which nothing comes. */
export const finalStatuses = ['succeeded', 'failed', 'canceled', 'expired'];

/** Opens the event stream of a job. */
export const openEvents = async (
  { baseUrl, apiKey }: Pick<SdkTarget, 'baseUrl' | 'apiKey'>,
  jobId: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawStream> => {
  const leaving = new AbortController();
  const response = await fetch(`${baseUrl}/api/v2/jobs/${jobId}/events`, {
    headers: { ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }), ...headers },
    signal: leaving.signal,
  });
  let text = '';
  async function* read(): AsyncGenerator<SeenEvent> {
    let rest = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      rest += chunk;
      if (!/\n\n|^\n/u.test(chunk)) continue;
      const frames = rest.split('\n\n');
      rest = frames.pop()!;
      for (const frame of frames) if (!frame.startsWith(':')) yield eventOf(frame);
    }
    assert.equal(rest, '', 'the last frame ends with an empty line');
  }
  return {
    status: response.status,
    headers: response.headers,
    events: read(),
    text: () => text,
    [Symbol.asyncDispose]: () => {
      leaving.abort();
      return Promise.resolve();
    },
  };
};

/** Reads a stream to its end. */
export const allEvents = async ({ events }: RawStream): Promise<readonly SeenEvent[]> => {
  const seen: SeenEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
};

const eventOf = (frame: string): SeenEvent => {
  const fields = frame.split('\n').map((line) => /^(event|data): (.*)$/u.exec(line));
  const [event, data] = ['event', 'data'].map((name) => fields.find((field) => field?.[1] === name)?.[2]);
  assert.ok(event !== undefined && data !== undefined, `a frame has event and data: ${frame}`);
  const seen: SeenEvent = { event, data: JSON.parse(data) as SeenEvent['data'] };
  judgeEvent(event, seen.data);
  return seen;
};
