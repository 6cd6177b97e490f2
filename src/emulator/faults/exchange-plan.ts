import type { Answer } from '../http/answer.js';
import type { CutHow, HttpFault, HttpPhase, RestFault, StorageFault } from '../fault.js';
import type { FaultRegistry } from './fault-registry.js';
import { gzipSync } from 'node:zlib';
import { matchPath } from '../http/match-route.js';

/** An exchange that does not end as it should: where it breaks, and how. */
interface Break {
  /** Before the request is handled, with the answer ready but unsent, after its headers, or after bytes of its body. */
  readonly at: 'before' | 'afterCommit' | 'headers' | 'half' | number;
  readonly how: CutHow | 'stall';
}

/** The faults of one request and its answer. */
export interface ExchangePlan {
  /** Milliseconds before the request is handled. */
  readonly delayBeforeMs: number;
  /** Milliseconds before the answer leaves. */
  readonly delayAfterMs: number;
  /** Sent instead of the backend's answer; `missing` stands for the backend's 404. */
  readonly replacement: Answer | 'missing' | undefined;
  /** False if `replacement` is sent and the request is not handled. */
  readonly commits: boolean;
  readonly transform: (answer: Answer) => Answer;
  readonly break: Break | undefined;
  readonly bytesPerSecond: number | undefined;
  readonly sizes: readonly number[] | undefined;
  /** Spaces after the body; `Infinity` for a body without end and length. */
  readonly paddingBytes: number;
  /** Sends no content length: the end of the connection ends the body. */
  readonly omitsLength: boolean;
}

/** An exchange without faults. */
const untouched: ExchangePlan = {
  delayBeforeMs: 0,
  delayAfterMs: 0,
  replacement: undefined,
  commits: true,
  transform: (answer) => answer,
  break: undefined,
  bytesPerSecond: undefined,
  sizes: undefined,
  paddingBytes: 0,
  omitsLength: false,
};

/** Plans exchanges of both origins; counts reads for `lag` and `flicker`. */
export const createExchangePlanner = (
  registry: FaultRegistry,
): ((origin: 'api' | 'storage', method: string, url: URL) => ExchangePlan) => {
  let counts = new Map<string, number>();
  let generation = registry.generation();
  const count = (key: string): number => {
    const next = (counts.get(key) ?? 0) + 1;
    counts.set(key, next);
    return next;
  };
  return (origin, method, url) => {
    if (!registry.isArmed()) return untouched;
    if (generation !== registry.generation()) {
      generation = registry.generation();
      counts = new Map();
    }
    const request = `${method} ${url.pathname}`;
    const faults =
      origin === 'storage'
        ? registry.trigger(['storage'], request, () => true)
        : registry.trigger(
            ['rest', 'http'],
            request,
            (fault) => isRoute(fault.route ?? '*', method, url.pathname) && isDue(fault, url, count),
          );
    return faults.reduce<ExchangePlan>(
      (plan, fault) => ({ ...plan, ...effectOf(fault, plan, url) }),
      untouched,
    );
  };
};

/** False for a read that `lag` or `flicker` let through. */
const isDue = (fault: RestFault | HttpFault, url: URL, count: (key: string) => number): boolean => {
  if (fault.do === 'lag') return count(`lag ${fault.route} ${url.pathname}${url.search}`) <= fault.reads;
  return fault.do !== 'flicker' || count(`flicker ${fault.route} ${url.pathname}`) % 2 === 1;
};

/** The changes of one fault to the plan that the faults before it made. */
const effectOf = (
  fault: RestFault | HttpFault | StorageFault,
  plan: ExchangePlan,
  url: URL,
): Partial<ExchangePlan> => {
  const then = (next: (answer: Answer) => Answer): Partial<ExchangePlan> => ({
    transform: (answer) => next(plan.transform(answer)),
  });
  switch (fault.do) {
    case 'answer':
      return { replacement: fault, commits: 'commit' in fault && fault.commit === true };
    case 'lag':
    case 'flicker':
    case 'vanish':
      return missing;
    case 'commit-then-cut':
      return { break: { at: 'afterCommit', how: fault.how ?? 'rst' } };
    case 'delay':
      return fault.phase === 'before'
        ? { delayBeforeMs: plan.delayBeforeMs + fault.ms }
        : { delayAfterMs: plan.delayAfterMs + fault.ms };
    case 'cut':
      return { break: { at: placeOf(fault.phase, fault.bytes), how: fault.how ?? 'rst' } };
    case 'stall':
      return { break: { at: placeOf(fault.phase, fault.bytes), how: 'stall' } };
    case 'drip':
      return { bytesPerSecond: fault.bytesPerSecond };
    case 'slice':
      return { sizes: fault.sizes };
    case 'latency':
      return { delayAfterMs: plan.delayAfterMs + fault.ms };
    case 'oversize':
      return { paddingBytes: fault.bytes ?? Infinity };
    case 'expire':
      return { replacement: expired(fault.status ?? 400), commits: false };
    case 'truncate':
      return then((answer) => ({ ...answer, body: bytesOf(answer).subarray(0, fault.bytes) }));
    case 'body': {
      const body = fault.base64 === undefined ? (fault.text ?? '') : Buffer.from(fault.base64, 'base64');
      const headers = { 'content-type': fault.type ?? 'text/html; charset=utf-8' };
      return { replacement: { status: 200, headers, body }, commits: false };
    }
    case 'etag':
      return then((answer) => ({ ...answer, headers: { ...answer.headers, etag: fault.value } }));
    case 'redirect': {
      const location = fault.location ?? `${url.pathname}${url.search}`;
      return { replacement: { status: fault.status ?? 302, headers: { location } }, commits: false };
    }
    case 'no-length':
      return {
        omitsLength: true,
        ...then((answer) => ({ ...answer, body: bytesOf(answer).subarray(0, fault.bytes) })),
      };
    case 'gzip':
      return then((answer) => ({
        ...answer,
        headers: { ...answer.headers, 'content-encoding': 'gzip' },
        body: gzipSync(bytesOf(answer)).subarray(0, fault.bytes),
      }));
  }
};

const missing: Partial<ExchangePlan> = { replacement: 'missing', commits: false };

const placeOf = (phase: HttpPhase | undefined, bytes: number | undefined): Break['at'] => {
  if (phase === 'body' || bytes !== undefined) return bytes ?? 'half';
  return phase ?? 'before';
};

const expired = (status: number): Answer => ({
  status,
  headers: { 'content-type': 'application/xml; charset=UTF-8' },
  body: "<?xml version='1.0' encoding='UTF-8'?><Error><Code>ExpiredToken</Code></Error>",
});

const bytesOf = ({ body = '' }: Answer): Buffer => Buffer.from(body);

/** True if the pattern matches the request; a path matches with or without `/api`. */
export const isRoute = (pattern: string, method: string, path: string): boolean => {
  if (pattern === '*') return true;
  const [wanted = '', route = ''] = pattern.split(' ');
  return wanted === method && matchPath(underApi(route), underApi(path)) !== undefined;
};

const underApi = (path: string): string => (path.startsWith('/api/') ? path : `/api${path}`);
