import { encodingsOf } from '../helpers/canary.js';
import type { Platform } from '../../src/core/platform/platform.js';
import type { LoggedRequest } from './ledger.js';
import type { Answer } from './sim-rest.js';

/** Every third time is enough, as there are many thousands. */
const rarely = 3;

/** A careless service: it gives the key back where it refuses, in one encoding after the other. */
export const echo = (key: string | null | undefined, turn: number): string => {
  if (key === undefined || key === null || turn % rarely > 0) return 'no';
  const forms = encodingsOf(key);
  return `key ${forms[(turn / rarely) % forms.length]![1]}`;
};

/** An answer with the key of its request in its words, where it is a refusal. */
export const echoingAnswer = (answer: Answer, { key, at }: LoggedRequest): Answer => {
  if (answer.status < 400) return answer;
  const words = echo(key, Math.round(at));
  const headers = { 'www-authenticate': `Bearer error_description="${words}"`, ...answer.headers };
  return { ...answer, headers, body: echoingBody(answer.body ?? '', words) };
};

const echoingBody = (body: unknown, words: string): unknown => {
  if (typeof body === 'string') return `${body}${words}`;
  if (typeof body !== 'object' || body === null) return body;
  const inner = Object.entries(body).map(([name, value]: [string, unknown]) => [
    name,
    name === 'error' ? echoingBody(value, words) : name === 'message' ? `${String(value)}: ${words}` : value,
  ]);
  return Object.fromEntries(inner) as unknown;
};

/** Sockets whose close frames give the token back. */
export const echoingSockets =
  (open: Platform['openSocket']): Platform['openSocket'] =>
  (url, listener) =>
    open(url, {
      opened: () => listener.opened(),
      alive: () => listener.alive(),
      message: (data) => listener.message(data),
      closed: (end) => {
        const hasFrame = end.code !== 1000 && end.code !== 1006;
        const words = echo(new URL(url).searchParams.get('token'), end.code);
        listener.closed(hasFrame ? { ...end, reason: `${end.reason} ${words}`.trim() } : end);
      },
    });
