import { describe, expect, it } from 'vitest';
import { placeAmong, wantedBytes } from '../../../src/server/gateway/calls/accept.js';
import { readWait } from '../../../src/server/gateway/calls/preference.js';
import { textValue } from '../../../src/server/gateway/calls/text-value.js';

describe('Prefer', () => {
  it.each([
    ['wait=10', 10_000],
    ['respond-async, Wait = "7"', 7_000],
    ['wait=600', 50_000],
    ['wait=0', 0],
    ['wait=86400', 50_000],
    ['wait=86401', undefined],
    ['', undefined],
    ['wait', undefined],
    ['no-wait=5', undefined],
    ['wait=5 seconds', undefined],
    ['wait=3;x=y, wait=4', 3_000],
    ['respond-async', undefined],
    ['wait=-1', undefined],
    ['wait=1.5', undefined],
    ['wait=9999999', undefined],
    [null, undefined],
  ])('%s waits %s ms', (header, waitMs) => {
    expect(readWait(header, 50_000)).toBe(waitMs);
  });
});

describe('Accept', () => {
  it.each([
    [null, undefined],
    ['application/json', undefined],
    ['application/json, */*;q=0.5', undefined],
    ['application/json, */*', undefined],
    ['application/problem+json', undefined],
    ['image/*', ['image/*']],
    ['video/mp4;q=0.5, image/png, application/json;q=0.1', ['image/png', 'video/mp4']],
    ['*/*', ['*/*']],
    ['image/png;q=0', undefined],
    ['nonsense', undefined],
    ['image/png/x, image/webp', ['image/webp']],
    ['text/plain and more', undefined],
  ])('%s wants %j', (header, ranges) => {
    expect(wantedBytes(header)).toEqual(ranges);
  });

  it('has the type that is wanted most first', () => {
    const ranges = ['image/png', 'video/*'];
    expect(
      ['image/png', 'video/webm; codecs=vp9', 'image/webp'].map((type) => placeAmong(ranges, type)),
    ).toEqual([...[0, 1, -1]]);
  });
});

describe('a text of a form', () => {
  it.each([
    ['7', 'number', 7],
    [' 0.5 ', 'number', 0.5],
    ['18446744073709551615', 'integer', 18446744073709551615n],
    ['seven', 'number', 'seven'],
    ['', 'number', ''],
    ['  ', 'integer', '  '],
    ['true', 'boolean', true],
    ['false', 'boolean', false],
    ['yes', 'boolean', 'yes'],
    ['true', 'string', 'true'],
    ['false', undefined, 'false'],
    ['true', 'number', 'true'],
    ['7', 'string', '7'],
    ['7', undefined, '7'],
  ])('%j for a %s is %s', (text, type, value) => {
    expect(textValue(text, type)).toBe(value);
  });
});
