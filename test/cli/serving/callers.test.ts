import { callsOf } from '../../../src/cli/serving/calls-of.js';
import { describe, expect, it } from 'vitest';
import { grantsOf, operatorHere } from '../../../src/cli/serving/callers.js';
import { originOf } from '../../../src/cli/serving/origin-of.js';
import { UsageError } from '../../../src/cli/cli-io.js';

describe('what serve grants to callers', () => {
  it('is everything to the one caller without tokens', () => {
    expect(operatorHere({} as never)).toEqual({ name: 'local', servers: 'change' });
  });

  it('is the change of servers to each operator alone, who has a token', () => {
    const tokens = { ann: 'a', bob: 'b' };
    expect(grantsOf({}, tokens)).toEqual({});
    expect(grantsOf({ operator: ['bob'] }, tokens)).toEqual({ bob: { servers: 'change' } });
    const refused = () => grantsOf({ operator: ['bob', 'toString'] }, tokens);
    expect(refused).toThrow(UsageError);
    expect(refused).toThrow('--operator toString has no token: its callers are ann, bob');
    // Without tokens nobody has a name, so that the flag would say nothing.
    expect(() => grantsOf({ operator: ['ann'] }, {})).toThrow(
      '--operator ann has no token, as there are none: without them every caller here is an operator',
    );
    expect(grantsOf({}, {})).toEqual({});
  });
});

describe('an origin of a flag', () => {
  it.each([
    ['https://app.example', 'https://app.example'],
    ['https://app.example/', 'https://app.example'],
    ['http://127.0.0.1:5173', 'http://127.0.0.1:5173'],
  ])('is that of %s', (text, origin) => {
    expect(originOf(text, '--input-origin')).toBe(origin);
  });

  it.each([
    'app.example',
    '',
    'file:///tmp',
    'file:///',
    'https://app.example/a',
    'https://app.example/?a',
    'https://app.example/#a',
  ])('is not that of %j', (text) => {
    expect(() => originOf(text, '--input-origin')).toThrow(UsageError);
    expect(() => originOf(text, '--allow-origin')).toThrow('--allow-origin takes an origin');
  });
});

describe('the calls of a gateway', () => {
  it('wait for as long as it is told, and fetch files of the origins that are listed alone', () => {
    expect(callsOf({})).toEqual({});
    expect(callsOf({ maxWait: 0, inputOrigin: [] })).toEqual({ maxWaitMs: 0 });
    const { inputs, maxWaitMs } = callsOf({ maxWait: 2.5, inputOrigin: ['https://a.example/'] });
    expect([maxWaitMs, inputs?.origins]).toEqual([2_500, ['https://a.example']]);
    expect(inputs?.fetcher).toBeDefined();
    expect(() => callsOf({ inputOrigin: ['a.example'] })).toThrow('--input-origin takes an origin');
  });
});
