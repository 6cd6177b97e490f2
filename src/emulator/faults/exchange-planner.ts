import type { Answer } from '../http/answer.js';
import { type Break, type ExchangePlan, untouched } from './exchange-plan.js';
import type { FaultMachine } from './fault-machine.js';
import { gzipSync } from 'node:zlib';
import type { HttpFault, HttpPhase, RestFault, StorageFault } from './fault.js';
import { matchPath } from '../http/match-route.js';

/** Plans exchanges of both origins; remembers what `lag` and `flicker` need. */
export const createExchangePlanner = (
  machine: FaultMachine,
): ((origin: 'api' | 'storage', method: string, url: URL) => ExchangePlan) => {
  let memory = new Map<string, number>();
  let epoch = machine.epoch();
  const count = (key: string): number => {
    const next = (memory.get(key) ?? 0) + 1;
    memory.set(key, next);
    return next;
  };
  return (origin, method, url) => {
    if (!machine.isArmed()) return untouched;
    if (epoch !== machine.epoch()) {
      epoch = machine.epoch();
      memory = new Map();
    }
    const struck = `${method} ${url.pathname}`;
    const faults =
      origin === 'storage'
        ? machine.struckBy(['storage'], struck, () => true)
        : machine.struckBy(
            ['rest', 'http'],
            struck,
            (fault) => isRoute(fault.route ?? '*', method, url.pathname) && isDue(fault, url, count),
          );
    return faults.reduce<ExchangePlan>(
      (plan, fault) => ({ ...plan, ...effectOf(fault, plan, url) }),
      untouched,
    );
  };
};

/** False for a read that finds what is there although such faults are about. */
const isDue = (fault: RestFault | HttpFault, url: URL, count: (key: string) => number): boolean => {
  if (fault.do === 'lag') return count(`lag ${fault.route} ${url.pathname}${url.search}`) <= fault.reads;
  return fault.do !== 'flicker' || count(`flicker ${fault.route} ${url.pathname}`) % 2 === 1;
};

/** What one fault adds to the plan of an exchange, over the faults before it. */
const effectOf = (
  fault: RestFault | HttpFault | StorageFault,
  plan: ExchangePlan,
  url: URL,
): Partial<ExchangePlan> => {
  const then = (next: (answer: Answer) => Answer): Partial<ExchangePlan> => ({
    change: (answer) => next(plan.change(answer)),
  });
  switch (fault.do) {
    case 'answer':
      return { instead: fault, commits: 'commit' in fault && fault.commit === true };
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
      return { surplus: fault.bytes ?? Infinity };
    case 'expire':
      return { instead: expired(fault.status ?? 400), commits: false };
    case 'truncate':
      return then((answer) => ({ ...answer, body: bytesOf(answer).subarray(0, fault.bytes) }));
    case 'body': {
      const body = fault.base64 === undefined ? (fault.text ?? '') : Buffer.from(fault.base64, 'base64');
      const headers = { 'content-type': fault.type ?? 'text/html; charset=utf-8' };
      return { instead: { status: 200, headers, body }, commits: false };
    }
    case 'etag':
      return then((answer) => ({ ...answer, headers: { ...answer.headers, etag: fault.value } }));
    case 'redirect': {
      const location = fault.location ?? `${url.pathname}${url.search}`;
      return { instead: { status: fault.status ?? 302, headers: { location } }, commits: false };
    }
    case 'no-length':
      return {
        hidesLength: true,
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

const missing: Partial<ExchangePlan> = { instead: 'missing', commits: false };

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

/** True where the pattern means this request; a bare path and one under `/api` are the same. */
export const isRoute = (pattern: string, method: string, path: string): boolean => {
  if (pattern === '*') return true;
  const [wanted = '', route = ''] = pattern.split(' ');
  return wanted === method && matchPath(underApi(route), underApi(path)) !== undefined;
};

const underApi = (path: string): string => (path.startsWith('/api/') ? path : `/api${path}`);
