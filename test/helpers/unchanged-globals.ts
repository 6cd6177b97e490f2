import { afterAll, expect, vi } from 'vitest';

// Files of tests share a process: what one of them changes of the platform, all others find.

/** What a test, or a package that it loads, may replace for the whole process; tests of components, which make a document, have their own. */
const names = [
  ...['fetch', 'Request', 'Response', 'Headers', 'FormData', 'Blob', 'File', 'WebSocket', 'EventSource'],
  ...['AbortController', 'AbortSignal', 'ReadableStream', 'TextDecoder', 'TextEncoder', 'URL', 'Promise'],
  ...['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'queueMicrotask'],
  ...['crypto', 'performance'],
];
const values = (): ReadonlyMap<string, unknown> =>
  new Map(names.map((name) => [name, (globalThis as Readonly<Record<string, unknown>>)[name]]));

const before = values();

afterAll(() => {
  for (const prototype of [Object.prototype, Array.prototype, Function.prototype, String.prototype]) {
    expect(Object.keys(prototype)).toEqual([]);
  }
  vi.unstubAllGlobals();
  vi.useRealTimers();
  const after = values();
  expect(names.filter((name) => after.get(name) !== before.get(name))).toEqual([]);
});
