import { decodeFrame } from '../../../src/core/protocol/frames/decode-frame.js';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { encodeMessage, encodeMessageLikePython } from '../../helpers/encode-frame.js';
import { eventCodecs } from '../../../src/core/protocol/event-codecs.js';
import { eventFixtures } from '../../helpers/event-fixtures.js';

const frameOf = ({ type, data, promptId }: (typeof eventFixtures)[number]): unknown =>
  promptId === undefined ? { _tag: 'Event', type, data } : { _tag: 'Event', type, promptId, data };

describe('decodeText: events', () => {
  it.each(eventFixtures.map((fixture) => [fixture.type, fixture.shape, fixture] as const))(
    'reads %s, %s',
    (type, _, fixture) => {
      expect(decodeFrame(encodeMessage(type, fixture.data))).toStrictEqual(frameOf(fixture));
      expect(decodeFrame(encodeMessageLikePython(type, fixture.data))).toStrictEqual(frameOf(fixture));
    },
  );

  it('has a fixture for each of the eleven events and the handshake', () => {
    expect(new Set(eventFixtures.map(({ type }) => type))).toStrictEqual(new Set(Object.keys(eventCodecs)));
    expect(Object.keys(eventCodecs)).toHaveLength(12);
  });

  it.each(eventFixtures.map((fixture) => [fixture.type, fixture.shape, fixture] as const))(
    'keeps members it does not know: %s, %s',
    (type, _, fixture) => {
      const data = { ...fixture.data, brand_new: [1, { deep: null }] };
      expect(decodeFrame(encodeMessage(type, data))).toStrictEqual(frameOf({ ...fixture, data }));
    },
  );

  it('ignores members beside type and data', () => {
    const frame = decodeFrame('{"seq": 4, "type": "status", "data": {"queue_remaining": 0}, "more": {}}');
    expect(frame).toStrictEqual({ _tag: 'Event', type: 'status', data: { queue_remaining: 0 } });
  });

  it('C15: reads how much waits, flat and nested, and takes neither for an error', () => {
    for (const data of [
      { queue_remaining: 3 },
      { status: { exec_info: { queue_remaining: 3 } } },
      { exec_info: { queue_remaining: 3 } },
      { status: null },
      {},
    ])
      expect(decodeFrame(JSON.stringify({ type: 'status', data }))).toEqual({
        _tag: 'Event',
        type: 'status',
        data,
      });
    expect(decodeFrame('{"type":"status","data":{"queue_remaining":"3"}}')._tag).toBe('Malformed');
  });

  it('reads numbers that Python wrote as null instead of losing the message', () => {
    const text =
      '{"type": "progress", "data": {"node": "1", "prompt_id": "p", "value": NaN, "max": Infinity}}';
    expect(decodeFrame(text)).toStrictEqual({
      _tag: 'Event',
      type: 'progress',
      promptId: 'p',
      data: { node: '1', prompt_id: 'p', value: null, max: null },
    });
  });

  it.each(['text', 'bytes'])('M10: keeps the numbers of outputs, in %s', (form) => {
    const text =
      '{"type": "executed", "data": {"node": "1", "prompt_id": "p", "output": {"NaN": ["NaN 18446744073709551615"],' +
      ' "n": [NaN, Infinity, -Infinity, -1.5, 18446744073709551615, -9007199254740993, 9007199254740991]}}}';
    const numbers = [NaN, Infinity, -Infinity, -1.5, 18446744073709551615n, -9007199254740993n];
    expect(decodeFrame(form === 'text' ? text : new TextEncoder().encode(text))).toStrictEqual({
      _tag: 'Event',
      type: 'executed',
      promptId: 'p',
      data: {
        node: '1',
        prompt_id: 'p',
        output: { NaN: ['NaN 18446744073709551615'], n: [...numbers, 9007199254740991] },
      },
    });
  });

  it('M10: keeps any number of an output', () => {
    const integer = fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String);
    const number = fc.oneof(
      integer,
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.constantFrom('NaN', 'Infinity', '-Infinity', 'null', '"9007199254740993"', '1e400', '-0'),
    );
    fc.assert(
      fc.property(fc.array(number, { maxLength: 5 }), (numbers) => {
        const text = `{"type":"executed","data":{"node":"1","prompt_id":"p","output":{"n":[${numbers.join()}]}}}`;
        const expected = numbers.map((one) => {
          if (/^-?(?:NaN|Infinity)$/u.test(one)) return Number(one);
          const isLarge = /^-?\d{16,}$/u.test(one) && !Number.isSafeInteger(Number(one));
          return isLarge ? BigInt(one) : (JSON.parse(one) as unknown);
        });
        expect(decodeFrame(text)).toMatchObject({ data: { output: { n: expected } } });
      }),
    );
  });

  it('leaves a node called __proto__ an ordinary node', () => {
    const text =
      '{"type":"progress_state","data":{"prompt_id":"p","nodes":{"__proto__":{"value":1,"max":2}}}}';
    const frame = decodeFrame(text);
    expect(JSON.stringify(frame)).toContain('"nodes":{"__proto__":{"value":1,"max":2}}');
    expect(Object.hasOwn(Object.prototype, 'value')).toBe(false);
  });

  it('takes no prompt id from an inherited member', () => {
    const frame = decodeFrame('{"type":"status","data":{"__proto__":{"prompt_id":"p"}}}');
    expect(frame._tag).toBe('Event');
    expect(frame.promptId).toBeUndefined();
  });
});

describe('decodeText: unknown types', () => {
  it.each([
    ['an object', '{"type":"logs","data":{"entries":[]}}', undefined],
    ['an object with a prompt id', '{"type":"a.b","data":{"prompt_id":"p1"}}', 'p1'],
    ['a prompt id that is no text', '{"type":"x","data":{"prompt_id":5}}', undefined],
    ['an empty prompt id', '{"type":"x","data":{"prompt_id":""}}', undefined],
    ['no data', '{"type":"x"}', undefined],
    ['scalar data', '{"type":"x","data":5}', undefined],
    ['null data', '{"type":"x","data":null}', undefined],
    ['a list', '{"type":"x","data":[{"prompt_id":"p"}]}', undefined],
    ['an empty name', '{"type":"","data":{}}', undefined],
    ['a name that objects inherit', '{"type":"constructor","data":{}}', undefined],
    ['the name __proto__', '{"type":"__proto__","data":{}}', undefined],
  ])('stays visible with %s', (_, text, promptId) => {
    const message = JSON.parse(text) as { readonly type: string };
    expect(decodeFrame(text)).toStrictEqual({
      _tag: 'Unknown',
      kind: 'text',
      type: message.type,
      ...(promptId === undefined ? {} : { promptId }),
      message,
    });
  });
});

describe('decodeText: malformed', () => {
  it.each([
    ['', 'not valid JSON of at most 64 levels'],
    ['{"type":"status"', 'not valid JSON of at most 64 levels'],
    ['{"type":"status","data":{}} trailing', 'not valid JSON of at most 64 levels'],
    ['null', 'the message should be an object'],
    ['5', 'the message should be an object'],
    ['"status"', 'the message should be an object'],
    ['[{"type":"status","data":{}}]', 'the message should be an object'],
    ['NaN', 'the message should be an object'],
    ['{}', 'type should be a string'],
    ['{"data":{}}', 'type should be a string'],
    ['{"type":7,"data":{}}', 'type should be a string'],
    ['{"type":null,"data":{}}', 'type should be a string'],
  ])('refuses %j: %s', (text, reason) => {
    expect(decodeFrame(text)).toStrictEqual({ _tag: 'Malformed', reason, size: text.length, sample: text });
  });

  it.each([
    ['status', { status: 4 }, 'status should be an object or null'],
    ['status', { queue_remaining: '1' }, 'queue_remaining should be a number'],
    [
      'status',
      { status: { exec_info: { queue_remaining: [] } } },
      'status.exec_info.queue_remaining should be a number',
    ],
    ['notification', {}, 'value should be a string'],
    ['notification', { value: 'x', id: 5 }, 'id should be a string or null'],
    ['execution_start', { timestamp: 1 }, 'prompt_id should be a string'],
    ['execution_start', { prompt_id: 'p', timestamp: 'now' }, 'timestamp should be a number or null'],
    ['execution_cached', { prompt_id: 'p' }, 'nodes should be a list'],
    ['execution_cached', { prompt_id: 'p', nodes: ['1', 2] }, 'nodes.1 should be a string'],
    ['executing', { node: 5, prompt_id: 'p' }, 'node should be a string or null'],
    ['progress', { max: 4, prompt_id: 'p' }, 'value should be a number or null'],
    ['progress', { value: '1', max: 4, prompt_id: 'p' }, 'value should be a number or null'],
    ['progress', { value: 1, max: 'many', prompt_id: 'p' }, 'max should be a number or null'],
    ['progress', { value: 1, max: 4, prompt_id: 42 }, 'prompt_id should be a string'],
    ['progress_state', { prompt_id: 'p', nodes: [] }, 'nodes should be an object'],
    ['progress_state', { prompt_id: 'p', nodes: { '3': 1 } }, 'nodes.3 should be an object'],
    [
      'progress_state',
      { prompt_id: 'p', nodes: { '3': { max: 'x' } } },
      'nodes.3.max should be a number or null',
    ],
    ['executed', { prompt_id: 'p', output: {} }, 'node should be a string'],
    ['executed', { prompt_id: 'p', node: '1', output: 'x' }, 'output should be an object or null'],
    ['executed', { prompt_id: 'p', node: '1', merge: 1 }, 'merge should be true or false or null'],
    ['execution_success', {}, 'prompt_id should be a string'],
    ['execution_error', { prompt_id: 'p', exception_type: 'E' }, 'exception_message should be a string'],
    [
      'execution_error',
      { prompt_id: 'p', exception_type: 'E', exception_message: '', traceback: [[]] },
      'traceback.0 should be a string',
    ],
    [
      'execution_error',
      { prompt_id: 'p', exception_type: 'E', exception_message: '', traceback: 'x' },
      'traceback should be a list or null',
    ],
    ['execution_interrupted', { prompt_id: 'p', executed: {} }, 'executed should be a list or null'],
    ['feature_flags', [1], 'data should be an object'],
  ])('names what is wrong in %s %j', (type, data, problem) => {
    const frame = decodeFrame(encodeMessage(type, data));
    expect(frame).toMatchObject({ _tag: 'Malformed', reason: `${type}: ${problem}` });
  });

  it.each(Object.keys(eventCodecs))('refuses %s with data that is no object', (type) => {
    for (const data of [null, 5, 'x', true, ['x']]) {
      const reason = `${type}: data should be an object`;
      expect(decodeFrame(encodeMessage(type, data))).toMatchObject({ _tag: 'Malformed', reason });
    }
    expect(decodeFrame(JSON.stringify({ type }))).toMatchObject({ _tag: 'Malformed' });
  });

  it('shows a short, clean sample and the size of it all', () => {
    const text = `\u001b[31m{"token": "abc-secret-1", ${'x'.repeat(5000)}`;
    const frame = decodeFrame(text);
    expect(frame).toMatchObject({ _tag: 'Malformed', size: text.length });
    const sample = frame._tag === 'Malformed' ? frame.sample : '';
    expect(sample).toHaveLength(80);
    expect(sample.startsWith('{"token": "[redacted]", xxx')).toBe(true);
  });

  it('cleans keys of the message that the reason names', () => {
    const nodes = { '\u001b[2Jcomfyui-0123456789': 1 };
    const frame = decodeFrame(encodeMessage('progress_state', { prompt_id: 'p', nodes }));
    expect(frame).toMatchObject({ reason: 'progress_state: nodes.[redacted] should be an object' });
  });

  it('removes secrets with the given redactor', () => {
    const redact = (text: string): string => text.replaceAll('hush', '***');
    expect(decodeFrame('hush {', { redact })).toMatchObject({ sample: '*** {' });
  });
});
