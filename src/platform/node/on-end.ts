import type { HttpRequest } from '../../socket/platform.js';

/** Calls `work` once when a request is to end, however its caller says so; the result takes that back. */
export const onEnd = (request: HttpRequest, work: () => void): (() => void) => {
  const { signal } = request;
  if (request.whenEnded !== undefined) return request.whenEnded(work);
  signal?.addEventListener('abort', work, { once: true });
  return () => signal?.removeEventListener('abort', work);
};
