import type {
  Clock,
  HttpRequest,
  HttpResponse,
  Platform,
  SocketListener,
} from '../../../src/core/platform/platform.js';
import type { SubmissionMoment } from './plan.js';

/** A platform that knows what its client holds, and what it has heard. */
export interface CountedPlatform extends Platform {
  /** What is open, armed or under way now. */
  readonly held: () => Readonly<Record<'sockets' | 'timers' | 'requests', number>>;
  /** Requests and sockets that were asked for so far. */
  readonly asked: () => number;
  /** When anything last came from each socket, in the order in which they were opened, by the platform's clock. */
  readonly lastHeardAt: readonly (number | undefined)[];
  /** Prompt id → when a socket brought its start. */
  readonly startsHeard: ReadonlyMap<string, number>;
  /** Codes with which requests failed before they had left. */
  readonly unsent: readonly string[];
  /** Called once, when the client first gets so far. */
  readonly atMoment: (moment: SubmissionMoment, work: () => void) => void;
}

/** Counts what goes through a platform, and changes nothing. */
export const countedPlatform = (platform: Platform): CountedPlatform => {
  const held = { sockets: 0, timers: 0, requests: 0 };
  const startsHeard = new Map<string, number>();
  const unsent: string[] = [];
  let asked = 0;
  const lastHeardAt: (number | undefined)[] = [];
  const { clock } = platform;
  const waiting = new Map<SubmissionMoment, () => void>();
  const reached = (moment: SubmissionMoment): void => {
    const work = waiting.get(moment);
    waiting.delete(moment);
    work?.();
  };

  const after: Clock['after'] = (delayMs, work, options) => {
    held.timers += 1;
    let isOver = false;
    const over = (): void => {
      if (!isOver) held.timers -= 1;
      isOver = true;
    };
    const cancel = clock.after(
      delayMs,
      () => {
        over();
        work();
      },
      options,
    );
    return () => {
      over();
      cancel();
    };
  };
  const hearing = (listener: SocketListener): SocketListener => {
    const line = lastHeardAt.push(undefined) - 1;
    let isOver = false;
    return {
      opened: () => listener.opened(),
      alive: () => {
        lastHeardAt[line] = clock.now();
        listener.alive();
      },
      message: (data) => {
        lastHeardAt[line] = clock.now();
        const [, promptId] =
          typeof data === 'string' && data.includes('"execution_start"')
            ? (/"prompt_id":"([^"]+)"/u.exec(data) ?? [])
            : [];
        if (promptId !== undefined) startsHeard.set(promptId, clock.now());
        listener.message(data);
      },
      closed: (end) => {
        if (!isOver) held.sockets -= 1;
        isOver = true;
        listener.closed(end);
      },
    };
  };
  /** A response counts until its body was read, given up or has failed. */
  const counted = (response: HttpResponse): HttpResponse => {
    let isOver = false;
    const over = (): void => {
      if (!isOver) held.requests -= 1;
      isOver = true;
    };
    const body = async function* (): AsyncGenerator<Uint8Array> {
      try {
        yield* response.body;
      } finally {
        over();
      }
    };
    const discard = (): void => {
      over();
      response.discard();
    };
    return { ...response, body: body(), discard };
  };

  return {
    ...platform,
    clock: { ...clock, after },
    openSocket: (url, listener) => {
      asked += 1;
      held.sockets += 1;
      reached('connecting');
      return platform.openSocket(url, hearing(listener));
    },
    request: async (request) => {
      asked += 1;
      held.requests += 1;
      const isSubmission = request.url.endsWith('/api/prompt');
      if (isSubmission) reached('posting');
      try {
        const response = await platform.request(
          isSubmission ? telling(request, () => reached('sent')) : request,
        );
        if (isSubmission) reached('answered');
        return counted(response);
      } catch (cause) {
        held.requests -= 1;
        if (isUnsent(cause)) unsent.push(cause.code);
        throw cause;
      }
    },
    held: () => ({ ...held }),
    asked: () => asked,
    lastHeardAt,
    startsHeard,
    unsent,
    atMoment: (moment, work) => waiting.set(moment, work),
  };
};

const isUnsent = (cause: unknown): cause is { readonly code: string } =>
  typeof cause === 'object' && cause !== null && 'sent' in cause && cause.sent === false && 'code' in cause;

const telling = (request: HttpRequest, sent: () => void): HttpRequest => ({
  ...request,
  onSent: () => {
    request.onSent?.();
    sent();
  },
});
