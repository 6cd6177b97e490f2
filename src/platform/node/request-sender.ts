import type { HttpRequest, Platform } from '../platform.js';

/** Sends requests over connections of its own, and ends those. */
export interface RequestSender {
  readonly request: Platform['request'];
  readonly close: () => Promise<void>;
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Names in lower case; headers that came several times joined by commas. The same object where nothing is to be done. */
export const flatHeaders = (headers: Headers): Readonly<Record<string, string>> =>
  isFlat(headers)
    ? headers
    : Object.fromEntries(
        Object.entries(headers).flatMap(([name, value]) =>
          value === undefined
            ? []
            : [[name.toLowerCase(), typeof value === 'string' ? value : value.join(', ')]],
        ),
      );

const isFlat = (headers: Headers): headers is Readonly<Record<string, string>> => {
  for (const name of Object.keys(headers)) {
    if (typeof headers[name] !== 'string' || name !== name.toLowerCase()) return false;
  }
  return true;
};

/** Calls `work` once when a request is to end, however its caller says so; the result takes that back. */
export const onEnd = (request: HttpRequest, work: () => void): (() => void) => {
  const { signal } = request;
  if (request.whenEnded !== undefined) return request.whenEnded(work);
  signal?.addEventListener('abort', work, { once: true });
  return () => signal?.removeEventListener('abort', work);
};
