import { decodeFrame } from '../../../src/core/protocol/frames/decode-frame.js';
import { describe, expect, it } from 'vitest';
import { isJsonSpace, tooManyValues } from '../../../src/core/protocol/json/json.js';
import { some } from '../../helpers/runs.js';

describe('isJsonSpace', () => {
  it('says of each character what JSON.parse does', () => {
    const parses = (code: number): boolean => {
      try {
        return JSON.parse(`${String.fromCharCode(code)}true`) === true;
      } catch {
        return false;
      }
    };
    const codes = Array.from({ length: 0x1_0000 }, (_, code) => code);
    for (const code of [...codes.slice(0, 0x100), ...some(codes.slice(0x100), { every: 10, turn: 0 })])
      if (isJsonSpace(code) !== parses(code)) expect(code).toBe(-1);
    expect(isJsonSpace(0x20)).toBe(true);
    expect([undefined, Number.NaN].some(isJsonSpace)).toBe(false);
  });
});

const most = 250_000;
const event = (data: string): string => `{"type":"unheard","data":${data}}`;

describe('tooManyValues', () => {
  it.each([
    ['empty objects', (count: number) => `[${'{},'.repeat(count / 2)}0]`],
    ['numbers', (count: number) => `[${'1,'.repeat(count)}1]`],
    ['brackets', (count: number) => '['.repeat(count) + ']'.repeat(count)],
    ['JSON in a string', (count: number) => JSON.stringify(`[${'1,'.repeat(count)}1]`)],
  ])('D8 counts %s', (_, make) => {
    expect(tooManyValues(make(most * 1.1))).toBe(true);
    expect(tooManyValues(make(most * 0.9))).toBe(false);
  });

  it('D8 lets long strings pass, however long', () => {
    expect(tooManyValues(JSON.stringify({ text: 'x'.repeat(8_000_000) }))).toBe(false);
  });
});

describe('a message of too many values', () => {
  const many = event(`[${'{},'.repeat(most)}0]`);

  it('D8 is malformed as text, and bytes of nothing known otherwise', () => {
    expect(decodeFrame(many)).toMatchObject({ _tag: 'Malformed', reason: 'it holds too many values' });
    const bytes = new TextEncoder().encode(many);
    expect(decodeFrame(bytes)).toMatchObject({ _tag: 'Unknown', kind: 'binary' });
  });

  it('D8 is read while there are few', () => {
    expect(decodeFrame(event(`[${'{},'.repeat(most / 4)}0]`))).toMatchObject({
      _tag: 'Unknown',
      type: 'unheard',
    });
  });
});
