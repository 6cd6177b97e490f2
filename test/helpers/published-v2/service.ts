import type { ServerResponse } from 'node:http';
import { httpServer, type SeenRequest } from '../http-server.js';
import { asset, contentOf, type Doc, envelope, job, publishedId } from './documents.js';
import type { Answer, Story, Stream } from './story.js';

/** A server of API v2 that plays one {@link Story}; it knows no engine and no clock. */
export interface PublishedService extends AsyncDisposable {
  /** The base URL, with the story's mount. */
  readonly baseUrl: string;
  /** Every request so far. */
  readonly seen: readonly SeenRequest[];
  /** What the storage was asked, which content redirects to. */
  readonly storage: readonly SeenRequest[];
  /** How many event streams are open. */
  readonly openStreams: () => number;
}

/** Starts a {@link PublishedService} on a free loopback port. */
export const publishedService = async (story: Story): Promise<PublishedService> => {
  const { mount = '', streams = [notImplemented], polls, content = 'inline', assets = {} } = story;
  const storage = await httpServer(({ url }, response) => {
    response.end(contentOf(decodeURIComponent(new URL(url, 'http://x').pathname.slice(1))));
  });
  const first = polls.find((poll): poll is Doc => !isAnswer(poll)) ?? job();
  const { submissions = [{ status: 201, body: first }] } = story;
  const turns = { submission: 0, poll: 0, stream: 0 };
  let open = 0;

  /** The answer to one call, unless it is a stream. */
  const answerOf = (call: string): Answer | Stream => {
    switch (call) {
      case 'POST /jobs':
        return at(submissions, turns.submission++);
      case 'GET /jobs/{id}':
        return asAnswer(at(polls, turns.poll++));
      case 'POST /jobs/{id}/cancel':
        turns.poll = polls.length;
        return story.cancelled ?? asAnswer(polls.at(-1));
      case 'GET /jobs/{id}/events':
        return at(streams, turns.stream++);
      case 'POST /assets':
        return assets.post ?? { status: 201, body: asset() };
      case 'POST /assets/from-hash':
        return assets.fromHash ?? missing('blob_not_found');
    }
    if (call.startsWith('HEAD /assets/by-hash/')) return { status: assets.head ?? 404 };
    const [, id = '', isContent] = /^GET \/assets\/([^/]+)(\/content)?$/u.exec(call) ?? [];
    if (id === '') return missing('not_found');
    const name = id.replace(/^out-/u, '');
    if (isContent === undefined) return { status: 200, body: asset({ id }) };
    if (content === 'inline') return { status: 200, body: contentOf(name) };
    return content === 'redirect'
      ? { status: 302, headers: { location: `${storage.origin}/${name}?X-Goog-Expires=900` } }
      : content;
  };

  const service = await httpServer(({ method, url }, response) => {
    const path = decodeURIComponent(new URL(url, 'http://x').pathname);
    const prefix = `${mount}/api/v2`;
    const call = `${method} ${path.slice(prefix.length).replace(publishedId, '{id}')}`;
    const answer = path.startsWith(`${prefix}/`) ? answerOf(call) : missing('not_found');
    if ('status' in answer) sendAnswer(response, answer, places());
    else stream(answer, response);
  });

  const places = (): Places => ({
    origin: service.origin,
    mount,
    base: service.origin + mount,
    foreign: `http://localhost:${service.port}${mount}`,
  });

  const stream = ({ frames, end }: Exclude<Stream, Answer>, response: ServerResponse): void => {
    open += 1;
    response.once('close', () => (open -= 1));
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    for (const frame of frames) {
      if (typeof frame === 'string' || frame instanceof Uint8Array) {
        response.write(frame);
        continue;
      }
      const [event, data] = frame;
      if (isFinal(data)) turns.poll = polls.length;
      response.write(filled(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`, places()));
    }
    if (end === 'closed') response.end();
    else if (end === 'cut') response.write('event: progress\ndata: {"val', () => response.destroy());
  };

  return {
    baseUrl: service.origin + mount,
    seen: service.seen,
    storage: storage.seen,
    openStreams: () => open,
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await storage[Symbol.asyncDispose]();
    },
  };
};

type Places = Readonly<Record<'origin' | 'mount' | 'base' | 'foreign', string>>;

const notImplemented: Answer = { status: 501, body: envelope('not_implemented') };

const missing = (code: string): Answer => ({ status: 404, body: envelope(code) });

const at = <A>(list: readonly A[], index: number): A => list[Math.min(index, list.length - 1)]!;

const isFinal = ({ status }: Doc): boolean =>
  ['succeeded', 'failed', 'canceled', 'expired'].includes(String(status));

const isAnswer = (poll: Doc | Answer): poll is Answer => typeof poll.status === 'number';

const asAnswer = (poll: Doc | Answer | undefined): Answer =>
  poll !== undefined && isAnswer(poll) ? poll : { status: 200, body: poll ?? {} };

const filled = (text: string, places: Places): string =>
  text.replaceAll(/\{(origin|mount|base|foreign)\}/gu, (_, name: keyof Places) => places[name]);

const sendAnswer = (response: ServerResponse, { status, body, headers }: Answer, places: Places): void => {
  const isPage = typeof body === 'string';
  const isBytes = body instanceof Uint8Array;
  const type = isPage ? 'text/html' : isBytes ? 'application/octet-stream' : 'application/json';
  response.writeHead(status, { ...(body === undefined ? {} : { 'content-type': type }), ...headers });
  response.end(body === undefined || isPage || isBytes ? body : filled(JSON.stringify(body), places));
};
