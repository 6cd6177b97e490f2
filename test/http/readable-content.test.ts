import { causeOf } from '../helpers/cause-of.js';
import { content } from '../helpers/output-content.js';
import { describe, expect, it } from 'vitest';
import { readableContent } from '../../src/core/http/view.js';
import { serviceError } from '../../src/core/errors/service-error.js';

const cut = serviceError('DownloadFailed', { filename: 'a.png', reason: 'it was cut' });

/** A file of three bytes that breaks off after them where `breaks` says so, and how often it was given up. */
const file = (breaks = false) => {
  let discarded = 0;
  const made = readableContent({
    ...content([]),
    // eslint-disable-next-line @typescript-eslint/require-await -- a body is an async iterable
    body: (async function* () {
      yield Uint8Array.of(1);
      yield Uint8Array.of(2, 3);
      if (breaks) throw cut;
    })(),
    discard: () => (discarded += 1),
  });
  return { made, discarded: () => discarded };
};

describe('a file that was asked for', () => {
  it('is read whole as bytes', async () => {
    expect(await file().made.bytes()).toEqual(Uint8Array.of(1, 2, 3));
  });

  it('is read whole as a blob of its media type', async () => {
    const blob = await file().made.blob();
    expect([blob.type, blob.size]).toEqual(['image/png', 3]);
    expect(new Uint8Array(await blob.arrayBuffer())).toEqual(Uint8Array.of(1, 2, 3));
  });

  it('is a web stream, which reads nothing ahead', async () => {
    const { made } = file();
    const reader = made.stream().getReader();
    expect(await reader.read()).toEqual({ done: false, value: Uint8Array.of(1) });
    expect(await reader.read()).toEqual({ done: false, value: Uint8Array.of(2, 3) });
    expect(await reader.read()).toEqual({ done: true, value: undefined });
  });

  it.each(['bytes', 'blob'] as const)('rejects %s with what cut it off', async (how) => {
    expect(await causeOf(file(true).made[how]())).toBe(cut);
  });

  it('errors its web stream with what cut it off', async () => {
    const reader = file(true).made.stream().getReader();
    await reader.read();
    await reader.read();
    expect(await causeOf(reader.read())).toBe(cut);
  });

  it('gives up the connection where its web stream is cancelled, begun or not', async () => {
    const unread = file();
    await unread.made.stream().cancel();
    expect(unread.discarded()).toBe(1);
    const begun = file();
    const reader = begun.made.stream().getReader();
    await reader.read();
    await reader.cancel();
    expect(begun.discarded()).toBe(1);
  });
});
