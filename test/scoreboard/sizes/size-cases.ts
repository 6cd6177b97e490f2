import type { Fault } from '../../../src/emulator.js';

/** What a service may send that is far too much, by what it is. */
export type SizeCase =
  | 'a frame of 64 MiB'
  | 'a compression bomb'
  | '200,000 fragments'
  | 'an event of 15 MiB of small values'
  | 'JSON of 64 MiB'
  | 'an error of 10 MB'
  | 'a file without end';

const mebibyte = 1024 * 1024;
const status = 'GET /api/job/{id}/status';
const history = 'GET /api/history_v2/{id}';
/** Leaves what comes to REST, early in the job. */
const cut: Fault = { on: 'socket', do: 'cut', after: { messages: 3 }, times: 2 };

const error = { on: 'rest', do: 'answer', status: 500, body: 'x'.repeat(10_000_000) } as const;

/** The most values that fit into so many bytes. */
const smallValues = (bytes: number): string => `[${'{},'.repeat(Math.floor(bytes / 3) - 1)}{}]`;

/** Each case with its faults; they are made where the emulator is, not in the measured process. */
export const sizeCases: Readonly<Record<SizeCase, () => readonly Fault[]>> = {
  'a frame of 64 MiB': () => [{ on: 'socket', do: 'oversize', times: 3 }],
  'JSON of 64 MiB': () => [
    cut,
    { on: 'http', route: status, do: 'oversize', bytes: 64 * mebibyte, times: 2 },
    { on: 'http', route: history, do: 'oversize', bytes: 64 * mebibyte, times: 2 },
    ...['GET /api/queue', 'GET /api/object_info'].map((route): Fault => ({
      on: 'rest',
      route,
      do: 'answer',
      status: 200,
      body: smallValues(64 * mebibyte),
    })),
  ],
  'a compression bomb': () => [{ on: 'socket', do: 'bomb', times: 3 }],
  '200,000 fragments': () => [{ on: 'socket', do: 'fragments', times: 3 }],
  'an event of 15 MiB of small values': () => [
    {
      on: 'event',
      do: 'garbage',
      text: `{"type":"executed","data":{"node":"1","output":${smallValues(15 * mebibyte)}}}`,
    },
  ],
  'an error of 10 MB': () => [
    cut,
    ...[status, history].map((route): Fault => ({ ...error, route, times: 2 })),
    ...['GET /api/queue', 'GET /api/object_info'].map((route): Fault => ({
      ...error,
      route,
      times: 'every',
    })),
  ],
  'a file without end': () => [{ on: 'storage', do: 'oversize', times: 'every' }],
};

/** What was struck and what was seen of it. */
export interface SizeAnswer {
  readonly peakMiB: number;
  readonly pauseMs: number;
  readonly strikes: number;
  /** What is not as it should be. */
  readonly problems: readonly string[];
}
