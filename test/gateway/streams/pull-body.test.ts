import { type ByteSink, pullBody, sourceOf } from '../../../src/server/gateway/streams/pull-body.js';
import { describe, expect, it } from 'vitest';

/** A body, its sink, and what was asked of its source. */
const aBody = () => {
  const asked: string[] = [];
  const sinks: ByteSink[] = [];
  const source = {
    to: (sink: ByteSink) => void sinks.push(sink),
    pull: () => void asked.push('pull'),
    cancel: () => void asked.push('cancel'),
  };
  return { asked, source, sink: () => sinks[0]!, body: pullBody(source) };
};

const bytes = (...values: readonly number[]): Uint8Array => new Uint8Array(values);

describe('the body of a stream', () => {
  it('asks its source only when it is read, and gives each piece of it', async () => {
    const { asked, sink, body } = aBody();
    expect(asked).toEqual([]);
    const reader = body.getReader();
    const first = reader.read();
    await Promise.resolve();
    expect(asked).toEqual(['pull']);
    sink().write([bytes(1), bytes(2, 3)]);
    expect([(await first).value, (await reader.read()).value]).toEqual([bytes(1), bytes(2, 3)]);
    const last = reader.read();
    sink().close();
    expect(await last).toEqual({ done: true, value: undefined });
  });

  it('ends with an error of its source, and tells it that the reader has left', async () => {
    const broken = aBody();
    const read = broken.body.getReader().read();
    broken.sink().error(new Error('away'));
    await expect(read).rejects.toThrow('away');
    const left = aBody();
    await left.body.cancel();
    expect(left.asked).toEqual(['cancel']);
  });

  it('gives its source to a server in place of itself, unless it is read already', () => {
    const { body, source } = aBody();
    expect(sourceOf(body)).toBe(source);
    body.getReader();
    expect(sourceOf(body)).toBeUndefined();
    expect(sourceOf(new ReadableStream<Uint8Array>())).toBeUndefined();
  });
});
