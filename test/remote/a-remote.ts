import { serviceOf } from '../../src/server/gateway/services/service-of.js';
import { apiRoutes } from '../../src/server/gateway/routes/api-routes.js';
import type { Client } from '../../src/client/client-types.js';
import { createHandler } from '../../src/server/gateway/http/handler.js';
import { createRemoteIn } from '../../src/page/remote/create-remote.js';
import { memoryTemplateStore } from '../../src/server/gateway/store/memory-template-store.js';
import { memoryAssetIndex } from '../../src/server/gateway/store/memory-asset-index.js';
import { playedTabs } from './played-tabs.js';
import { type PlayedGateway, playedGateway } from '../gateway/support.js';
import type { Remote, RemoteOptions } from '../../src/page/remote/remote.js';
import type { PageWorld } from '../../src/core/platform/page.js';
import { watchTokenRoutes } from '../../src/server/gateway/routes/routes.js';
import { watchTokens } from '../../src/server/gateway/http/watch-tokens.js';
import type { GatewayTemplates } from '../../src/server/gateway/templates.js';

/** A request as it leaves the remote. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  /** The query with its question mark, or nothing. */
  readonly search: string;
  readonly headers: Headers;
}

/** A remote and the gateway that it asks, with what stands between them. */
export interface RemoteSetting extends PlayedGateway {
  readonly remote: Remote;
  readonly asked: readonly Asked[];
  /** The connections to the stream that are open. */
  readonly openStreams: () => number;
  /** Breaks the connections to the stream. */
  readonly cut: () => void;
  /** The next connection to the stream asks for events that the gateway does not keep any more. */
  readonly forget: () => void;
  /** The page is back. */
  readonly wake: () => void;
  /** The pages are frozen, or back. */
  readonly sleep: (isAsleep: boolean) => void;
  /** Asks the gateway as a browser opens a link: without a token. */
  readonly open: (link: string) => Promise<Response>;
  /** Another page of the same caller. */
  readonly another: (options?: RemoteOptions) => Remote;
}

export interface RemoteSettingOptions extends RemoteOptions {
  /** After so many bytes of its stream each connection breaks; the ones that follow stay. */
  readonly cuts?: readonly number[];
  /** What stands in the way of a request: an answer of its own, or an error; undefined lets it pass. */
  readonly before?: (asked: Asked) => Response | undefined;
  /** Sees an answer before the remote does; what it throws is what the remote gets. */
  readonly after?: (asked: Asked, answer: Response) => void;
  readonly templates?: GatewayTemplates;
  /** The token that the gateway accepts. */
  readonly accepts?: () => string | undefined;
}

/** Puts a remote before a gateway over a played service, all in one program and on one virtual clock. */
export const aRemote = async ({
  cuts = [],
  before,
  after,
  templates = {},
  accepts,
  ...options
}: RemoteSettingOptions = {}): Promise<RemoteSetting> => {
  const gateway = await playedGateway();
  const { clock, jobs } = gateway;
  const tokens = watchTokens({ clock });
  const handle = createHandler({
    routes: [
      ...watchTokenRoutes(tokens, async (caller, id) => (await jobs.get(caller, id)) !== undefined),
      ...apiRoutes({
        ...{
          jobs,
          templates,
          templateStore: memoryTemplateStore(),
          services: { default: serviceOf({ rest: {} } as unknown as Client, clock) },
        },
        assets: memoryAssetIndex({ now: clock.now }),
        now: clock.now,
        clock,
      }),
    ],
    authorize: (request) => {
      const token = accepts?.();
      const isRight = token === undefined || request.headers.get('authorization') === `Bearer ${token}`;
      return isRight ? { name: 'alice' } : undefined;
    },
    tokens,
    clock,
  });

  const asked: Asked[] = [];
  const lines = new Set<Line>();
  const listeners = new Set<() => void>();
  let connections = 0;
  let isForgotten = false;
  const tabs = playedTabs();
  const sleepers = new Set<(isAsleep: boolean) => void>();
  const world: PageWorld = {
    send: async (url, init) => {
      const request = new Request(url, init);
      if (isForgotten && request.headers.has('last-event-id')) {
        request.headers.set('last-event-id', 'gap');
        isForgotten = false;
      }
      const { method, headers } = request;
      const { pathname: path, search } = new URL(url);
      const one = { method, path, search, headers };
      asked.push(one);
      const early = before?.(one);
      if (early !== undefined) return early;
      const answer = await handle(request);
      after?.(one, answer);
      if (path !== '/events' || answer.body === null || !answer.ok) return answer;
      const line = brokenAfter(answer.body, cuts[connections] ?? Infinity, () => lines.delete(line));
      lines.add(line);
      connections += 1;
      request.signal.addEventListener('abort', () => line.break());
      return new Response(line.body, answer);
    },
    clock,
    random: () => 0.5,
    onWake: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onSleep: (listener) => {
      sleepers.add(listener);
      return () => void sleepers.delete(listener);
    },
    tabs: () => Promise.resolve(tabs),
  };
  const another = (own: RemoteOptions = {}): Remote =>
    createRemoteIn(world, { url: 'http://gateway.test', ...options, ...own });
  return {
    ...gateway,
    remote: another(),
    another,
    asked,
    openStreams: () => lines.size,
    cut: () => [...lines].forEach((line) => line.break()),
    sleep: (isAsleep) => [...sleepers].forEach((listener) => listener(isAsleep)),
    forget: () => (isForgotten = true),
    open: (link) => handle(new Request(link)),
    wake: () => [...listeners].forEach((listener) => listener()),
  };
};

interface Line {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly break: () => void;
}

/** Passes so many bytes, then breaks. */
const brokenAfter = (source: ReadableStream<Uint8Array>, most: number, ended: () => void): Line => {
  const reader = source.getReader();
  let left = most;
  let isOver = false;
  let fail = (): void => undefined;
  const end = (): boolean => {
    const wasOver = isOver;
    isOver = true;
    ended();
    return !wasOver;
  };
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start: (controller) => {
        fail = () => {
          if (!end()) return;
          controller.error(new TypeError('terminated'));
          reader.cancel().catch(() => undefined);
        };
      },
      pull: async (controller) => {
        if (left === 0) {
          fail();
          return;
        }
        const { value, done } = await reader.read();
        if (isOver) return;
        if (done) {
          end();
          controller.close();
          return;
        }
        const piece = new Uint8Array(value).slice(0, left);
        left -= piece.length;
        controller.enqueue(piece);
      },
    },
    { highWaterMark: 0 },
  );
  return { body, break: () => fail() };
};
