import { gzipSync } from 'node:zlib';
import type { Answer } from '../http/answer.js';
import type { Break, ExchangePlan } from './exchange-plan.js';
import type { HttpFault, HttpPhase } from './http-fault.js';
import type { RestFault } from './rest-fault.js';
import type { StorageFault } from './storage-fault.js';

/** What one fault adds to the plan of an exchange, over the faults before it. */
export const effectOf = (
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
