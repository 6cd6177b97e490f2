import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { framedReads } from '../../../src/platform/node/framed-reads.js';

const most = 1024 * 1024;
const content = Buffer.from(Uint8Array.from({ length: most }, (_, at) => at % 251));

/** A frame as a server writes it, whose bytes all differ from their neighbours'. */
const frame = (length: number, opcode = 2): Buffer => {
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, content.subarray(0, length)]);
};

/** A socket that reads what is `sent`, at most so many bytes at once: the pieces that it hands on, and where it takes breaks. */
const readTakingBreaks = async (sent: Buffer, atOnce: readonly number[], head: Buffer) => {
  const { onread, begin } = framedReads(most);
  let goOn = (): void => undefined;
  const socket = Object.assign(new EventEmitter(), { resume: () => goOn() });
  const pieces: Buffer[] = [];
  const breaks: number[] = [];
  socket.on('data', (piece: Buffer) => pieces.push(piece));
  begin(head);
  for (let [from, nth] = [0, 0]; from < sent.length; nth += 1) {
    const into = (onread.buffer as () => Uint8Array)();
    const bytes = sent.subarray(from, from + Math.min(into.length, atOnce[nth % atOnce.length]!));
    into.set(bytes);
    from += bytes.length;
    if (!onread.callback.call(socket, bytes.length, into)) {
      const resumed = new Promise<void>((resolve) => (goOn = resolve));
      breaks.push(from);
      await resumed;
    }
  }
  return { pieces, breaks };
};

const read = async (sent: Buffer, atOnce = [Infinity], head = Buffer.alloc(0)): Promise<Buffer[]> =>
  (await readTakingBreaks(sent, atOnce, head)).pieces;

const lengths = (pieces: readonly Buffer[]): readonly number[] => pieces.map(({ length }) => length);
const ownMemory = (pieces: readonly Buffer[]): boolean =>
  pieces.every(({ buffer, length }) => buffer.byteLength === length);

const anyLength = fc.oneof(
  fc.integer({ min: 0, max: 200 }),
  fc.constantFrom(125, 126, 16_383, 16_384, 65_535, 65_536, 200_000),
  fc.integer({ min: 0, max: 150_000 }),
);
const anyCuts = fc.array(fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 100_000 })), {
  minLength: 1,
  maxLength: 8,
});

describe('framed reads', () => {
  it('D16 law: hand on each byte once and in its order, and each large payload as one piece', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyLength, { maxLength: 8 }),
        anyCuts,
        fc.nat(),
        async (payloads, cuts, seed) => {
          const stream = Buffer.concat(payloads.map((length) => frame(length, 1 + (length % 2))));
          const headLength = stream.length === 0 ? 0 : seed % Math.min(stream.length, 300);
          const pieces = await read(stream.subarray(headLength), cuts, stream.subarray(0, headLength));
          expect(Buffer.concat(pieces).equals(stream.subarray(headLength))).toBe(true);
          expect(ownMemory(pieces)).toBe(true);
          let next = 0;
          const large = payloads.filter((length) => {
            const start = next;
            next += frame(length).length;
            return length >= 16 * 1024 && start >= headLength;
          });
          for (const { length } of pieces) if (length === large[0]) large.shift();
          expect(large).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('D12 law: hand on each byte of what is no frame at all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5_000 }), anyCuts, async (bytes, cuts) => {
        // A header by accident may announce a payload that never comes whole.
        const pieces = Buffer.concat(await read(Buffer.from(bytes), cuts));
        expect(pieces.equals(Buffer.from(bytes.subarray(0, pieces.length)))).toBe(true);
      }),
    );
  });

  it('D8 D12 never wait for a payload that is larger than allowed, or of a frame that no server may send', async () => {
    const sound = frame(100_000);
    for (const [at, value] of [
      [0, 0x40],
      [0, 0x20],
      [0, 0x10],
      [1, 0x80],
      [3, 0x01],
      [6, 0x10],
    ] as const) {
      const broken = Buffer.from(sound);
      broken[at]! |= value;
      const begun = broken.subarray(0, 40_000);
      expect(lengths(await read(begun))).toEqual([40_000]);
    }
    expect(lengths(await read(sound.subarray(0, 40_000)))).toEqual([10]);
    expect(lengths(await read(sound))).toEqual([10, 100_000]);
  });

  it('stay in step behind a payload whose first bytes came with the handshake', async () => {
    const stream = Buffer.concat([frame(70_000), frame(20_000), frame(3)]);
    expect(lengths(await read(stream.subarray(1000), [Infinity], stream.subarray(0, 1000)))).toEqual([
      65_536,
      70_010 - 1000 - 65_536 + 4,
      20_000,
      5,
    ]);
    const head = stream.subarray(0, 70_010 + 3);
    expect(lengths(await read(stream.subarray(head.length), [Infinity], head))).toEqual([1, 20_000, 5]);
  });

  it('let others have their turn after 256 KiB in the midst of a payload', async () => {
    const { pieces, breaks } = await readTakingBreaks(frame(900_000), [Infinity], Buffer.alloc(0));
    expect(lengths(pieces)).toEqual([10, 900_000]);
    expect(breaks).toEqual([256 * 1024, 512 * 1024, 768 * 1024]);
  });
});
