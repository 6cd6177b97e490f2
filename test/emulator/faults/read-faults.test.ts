import { describe, expect, it } from 'vitest';
import { readFaults } from '../../../src/emulator.js';

const problems = (json: unknown): readonly string[] => {
  const read = readFaults(json);
  return 'problems' in read ? read.problems : [];
};

const frames =
  'reserved bits or masked or bad opcode or bad close code or short close or long ping or fragmented ping or stray continuation or invalid utf-8';

describe('readFaults', () => {
  it('takes a list, or an object with a seed', () => {
    const fault = {
      on: 'event',
      do: 'drop',
      match: { type: 'executed', job: 2 },
      times: 'every',
      chance: 0.5,
    };
    expect(readFaults([fault])).toEqual({ faults: [fault] });
    expect(readFaults({ seed: 7, faults: [fault] })).toEqual({ seed: 7, faults: [fault] });
    expect(readFaults([])).toEqual({ faults: [] });
  });

  it.each([
    { on: 'socket', do: 'refuse', status: 503, nth: 2 },
    { on: 'socket', do: 'redirect', location: 'http://127.0.0.1:1/' },
    { on: 'socket', do: 'cut', how: 'fin', after: { messages: 3 } },
    { on: 'socket', do: 'stall', ms: 5, after: { bytes: 100 } },
    { on: 'socket', do: 'blackhole', after: { ms: 10 } },
    { on: 'socket', do: 'mute' },
    { on: 'socket', do: 'close', code: 1013 },
    { on: 'http', do: 'drip', bytesPerSecond: 10, route: 'GET /api/view' },
    { on: 'http', do: 'slice', sizes: [1, 2] },
    { on: 'rest', do: 'answer', route: '*', status: 500, commit: true },
    { on: 'rest', do: 'lag', route: 'GET /api/history_v2/{id}', reads: 3 },
    { on: 'storage', do: 'gzip', bytes: 10 },
    { on: 'event', do: 'garbage', hex: '00ff' },
    { on: 'job', do: 'finish-while-disconnected', events: 4 },
    { on: 'job', do: 'history-lag', ms: 300 },
    { on: 'job', do: 'outputs', outputs: { 9: {} } },
    { on: 'socket', do: 'illegal', frame: 'reserved bits', after: { messages: 1 } },
    { on: 'socket', do: 'headers', headers: { 'x-odd': '1' } },
    { on: 'socket', do: 'flood', hz: 0.5, after: { ms: 5 } },
    { on: 'socket', do: 'idle-close', ms: 60_000 },
    { on: 'http', do: 'latency', ms: 10 },
    { on: 'storage', do: 'oversize' },
    { on: 'account', do: 'revoke', atMs: 100, nth: 2 },
    { on: 'account', do: 'billing', state: 'no credits' },
    { on: 'engine', do: 'kill', atMs: 100, forMs: 500, keeps: 'queue' },
    { on: 'engine', do: 'freeze', nth: 3 },
  ])('takes %j', (fault) => {
    expect(problems([fault])).toEqual([]);
  });

  it.each([
    [null, 'faults: takes a list, or an object with the list `faults`'],
    ['[]', 'faults: takes a list, or an object with the list `faults`'],
    [{ faults: [], sead: 1 }, 'sead: is not known here'],
    [{ faults: [], seed: 1.5 }, 'seed: takes a whole number'],
    [[5], 'faults[0]: takes an object'],
    [[{ do: 'cut' }], 'faults[0].on: takes socket, http, rest, storage, event, job, engine, account'],
    [
      [{ on: '__proto__', do: 'cut' }],
      'faults[0].on: takes socket, http, rest, storage, event, job, engine, account',
    ],
    [
      [{ on: 'job', do: 'cut' }],
      'faults[0].do: on job it takes lose, vanish, finish-while-disconnected, status, late-outputs, history-lag, outputs',
    ],
    [[{ on: 'socket', do: 'refuse' }], 'faults[0].status: is missing; it takes an HTTP status, 200 to 599'],
    [
      [{ on: 'socket', do: 'headers', headers: { 'x-odd': 'a\r\nb' } }],
      'faults[0].headers: takes an object of header values',
    ],
    [[{ on: 'storage', do: 'redirect', location: '/a\r\nb' }], 'faults[0].location: takes a header value'],
    [[{ on: 'storage', do: 'etag', value: '\u{1F600}' }], 'faults[0].value: takes a header value'],
    [[{ on: 'http', do: 'drip', bytesPerSecond: 0 }], 'faults[0].bytesPerSecond: takes a number above 0'],
    [[{ on: 'socket', do: 'cut', how: 'softly' }], 'faults[0].how: takes rst or fin'],
    [[{ on: 'socket', do: 'illegal', frame: 'odd' }], `faults[0].frame: takes ${frames}`],
    [
      [{ on: 'account', do: 'billing', state: 'poor' }],
      'faults[0].state: takes active or no credits or inactive',
    ],
    [[{ on: 'engine', do: 'kill', keeps: 'all' }], 'faults[0].keeps: takes nothing or files or queue'],
    [[{ on: 'engine', do: 'freeze', forMs: -1 }], 'faults[0].forMs: takes milliseconds from 0'],
    [[{ on: 'socket', do: 'cut', after: 3 }], 'faults[0].after: takes an object'],
    [
      [{ on: 'socket', do: 'cut', after: { message: 3 } }],
      'faults[0].after.message: is not known here; it takes messages, bytes, ms',
    ],
    [[{ on: 'event', do: 'drop', nth: 0 }], 'faults[0].nth: takes a whole number from 1'],
    [[{ on: 'rest', do: 'vanish', route: '/api/queue' }], 'faults[0].route: takes `*` or `METHOD /path`'],
  ])('says what is wrong with %j', (json, problem) => {
    expect(problems(json)).toEqual([problem]);
  });

  it('lists every problem', () => {
    expect(problems([{ on: 'event', do: 'delay', events: 0, after: 1 }, {}])).toHaveLength(3);
  });
});
