import { describe, expect, it } from 'vitest';
import { chunked, encodedOnce, encodings } from '../../../src/server/gateway/streams/encoding.js';

const piece = (size: number, fill: number): Uint8Array => new Uint8Array(size).fill(fill);
const large = 16_384;

describe('the chunks of a stream', () => {
  it('join small pieces that follow each other, and keep all bytes in their order', () => {
    const pieces = [piece(1, 1), piece(large - 1, 2), piece(large, 3), piece(2, 4), piece(3, 5)];
    const chunks = chunked(pieces);
    expect(chunks.map(({ length }) => length)).toEqual([large, large, 5]);
    expect(Buffer.concat(chunks).equals(Buffer.concat(pieces))).toBe(true);
  });

  it('share a large piece, and a small one that stands alone, with other readers', () => {
    const [one, big, other] = [piece(5, 1), piece(large, 2), piece(7, 3)];
    const chunks = chunked([one, big, big, other]);
    expect(chunks).toHaveLength(4);
    expect([one, big, big, other].every((each, at) => chunks[at] === each)).toBe(true);
    expect(chunked([])).toEqual([]);
  });
});

it('bytes are made once for each of the last eight names of an object', () => {
  const made: string[] = [];
  const once = encodedOnce();
  const of = {};
  const ask = (name: string) =>
    once(of, name, 'p', () => {
      made.push(name);
      return [];
    });
  for (let at = 0; at < 9; at += 1) ask(`n${at}`);
  for (const name of ['n8', 'n1', 'n0', 'n1']) ask(name);
  expect(made.slice(9)).toEqual(['n0', 'n1']);
});

it('an event of parts is the event of their data', () => {
  const parts = ['{"a":', '1}'].map((part) => new TextEncoder().encode(part));
  for (const { event, eventOf } of Object.values(encodings))
    expect(Buffer.concat(eventOf('1', 'x', parts)).equals(event('1', 'x', { a: 1 }))).toBe(true);
});

it('the encodings have a sign of life that is no event, and say when to come back where the format has a word for it', () => {
  const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  const { sse, ndjson } = encodings;
  expect([textOf(sse.keepAlive), textOf(ndjson.keepAlive)]).toEqual([': keep-alive\n\n', '\n']);
  expect([textOf(sse.retry(7)), textOf(ndjson.retry(7))]).toEqual(['retry: 7\n', '']);
  expect(textOf(sse.event('1', 'gap', { seed: 2n ** 64n }))).toBe(
    'id: 1\nevent: gap\ndata: {"seed":18446744073709551616}\n\n',
  );
  expect(textOf(ndjson.event('1', 'gap', {}))).toBe('{"id":"1","event":"gap","data":{}}\n');
});
