import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { blake3 } from '../../../src/core/http/assets/blake3.js';
import { CallScope } from '../../../src/core/http/call-scope.js';
import { hashBlob } from '../../../src/core/http/assets/hash-blob.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';
import { runs } from '../../helpers/runs.js';

/** The input of the published test vectors: bytes that count to 250, over and over. */
const counting = (length: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, index) => index % 251);

const scope = () => new CallScope({ clock: virtualClock(), timeoutMs: 1000 });

describe('hashBlob', () => {
  it.each([
    [0, 'af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262'],
    [1, '2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213'],
    [1023, '10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11'],
    [1024, '42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7'],
    [1025, 'd00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444'],
    [2048, 'e776b6028c7cd22a4d0ba182a8bf62205d2ef576467e838ed6f2529b85fba24a'],
    [2049, '5f4d72f40d7a5f82b15ca2b2e44b1de3c2ef86c426c95c1af0b6879522563030'],
    [102400, 'bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085'],
  ])('gives the published hash of %i bytes', async (length, expected) => {
    expect(await hashBlob(new Blob([counting(length)]), scope())).toBe(`blake3:${expected}`);
  });

  it('gives the same hash in whatever pieces the bytes come', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 8 }), async (pieces) => {
        const inPieces = await blake3();
        for (const piece of pieces) inPieces.update(piece);
        const whole = await hashBlob(new Blob(pieces), scope());
        expect(inPieces.digest()).toBe(whole);
      }),
      { numRuns: runs(50) },
    );
  });

  it('gives none where the runtime compiles no WebAssembly', async () => {
    const refused = () => Promise.reject(new Error('Refused to compile WebAssembly'));
    expect(await hashBlob(new Blob(['a']), scope(), refused)).toBeUndefined();
  });

  it('rejects for a blob that cannot be read', async () => {
    const stream = new ReadableStream({ pull: () => Promise.reject(new Error('NotReadableError')) });
    const changed = { stream: () => stream } as Blob;
    await expect(hashBlob(changed, scope())).rejects.toThrow('NotReadableError');
  });

  it('stops reading once the call has ended', async () => {
    const ending = new AbortController();
    let cancelled = false;
    const endless = {
      stream: () =>
        new ReadableStream({
          pull: (controller) => {
            ending.abort();
            controller.enqueue(new Uint8Array(1));
          },
          cancel: () => void (cancelled = true),
        }),
    } as Blob;
    const aborted = new CallScope({ clock: virtualClock(), timeoutMs: 1000, signal: ending.signal });
    await expect(hashBlob(endless, aborted)).rejects.toThrow('the call has ended');
    expect(cancelled).toBe(true);
  });
});
