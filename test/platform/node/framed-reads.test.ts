import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as ws from 'ws';
import {
  content,
  frameOf,
  joined,
  most,
  picture,
  reading,
  shown,
  type Told,
} from '../../helpers/reading-socket.js';

const anyLength = fc.oneof(
  fc.integer({ min: 0, max: 200 }),
  fc.constantFrom(125, 126, 16_383, 16_384, 65_535, 65_536, 200_000),
  fc.integer({ min: 0, max: 150_000 }),
);
const anyCuts = fc.array(fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 100_000 })), {
  minLength: 1,
  maxLength: 8,
});

/** What servers send, and what they must not. */
const anyFrame = fc.oneof(
  { weight: 4, arbitrary: anyLength.map(picture) },
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 300 }).map(textOf) },
  fc.string({ minLength: 20_000, maxLength: 70_000, size: 'max' }).map(textOf),
  fc
    .tuple(fc.constantFrom(0x01, 0x02, 0x00, 0x80), fc.string({ maxLength: 30 }))
    .map(([first, text]) => frameOf(first, Buffer.from(text))),
  fc
    .tuple(fc.constantFrom(0x89, 0x8a), fc.uint8Array({ maxLength: 125 }))
    .map(([first, bytes]) => frameOf(first, bytes)),
);
const anyFault = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => frameOf(0x81, bytes)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.tuple(fc.nat(255), fc.uint8Array({ maxLength: 200 })).map(([first, bytes]) => frameOf(first, bytes)),
  fc.constantFrom(frameOf(0x88, Buffer.from([3, 232])), frameOf(0x88, Buffer.alloc(0))),
  fc.constant(Buffer.concat([Buffer.from([0x82, 127, 0, 0, 0, 1]), Buffer.alloc(30_000)])),
);
function textOf(text: string): Buffer {
  return frameOf(0x81, Buffer.from(text));
}

/** Long bytes by their ends. */
const brief = (said: readonly unknown[]): readonly unknown[] =>
  said.map((one) => {
    if (!(one instanceof ArrayBuffer) && !Buffer.isBuffer(one)) return one;
    const digest = createHash('sha256').update(new Uint8Array(one)).digest('hex');
    return `${one instanceof ArrayBuffer ? 'message' : 'bytes'} of ${one.byteLength}: ${digest}`;
  });

/** What `ws` says of bytes; false from `write` when it wants no more of them. */
const judge = () => {
  const said: unknown[] = [];
  const { Receiver } = ws as unknown as { Receiver: new (options: object) => NodeJS.WritableStream };
  const receiver = new Receiver({ isServer: false, binaryType: 'arraybuffer', maxPayload: most });
  let isOver = false;
  receiver.on('message', (data: Buffer | ArrayBuffer, isBinary: boolean) => {
    said.push(isBinary ? data : (data as Buffer).toString());
  });
  for (const sign of ['ping', 'pong'])
    receiver.on(sign, (bytes: Buffer) => said.push([sign, bytes.toString('hex')]));
  receiver.on('conclude', (code: number) => {
    isOver = true;
    said.push(['conclude', code]);
  });
  receiver.on('error', ({ message }: Error) => {
    isOver = true;
    said.push(['error', message]);
  });
  return {
    said,
    say: (data: string | ArrayBuffer) => said.push(data),
    write: (bytes: Buffer): boolean => {
      if (!isOver) receiver.write(bytes);
      return !isOver;
    },
  };
};

describe('framed reads', () => {
  it('D16 law: take each whole message once, and hand on every other byte, all in their order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.tuple(fc.constantFrom(0x81, 0x82), anyLength),
            fc.tuple(fc.constant(0x89), fc.nat(125)),
          ),
          {
            maxLength: 8,
          },
        ),
        anyCuts,
        fc.nat(),
        async (frames, atOnce, seed) => {
          const sent = frames.map(([first, length]) =>
            frameOf(first, first === 0x81 ? Buffer.alloc(length, 'x') : content.subarray(0, length)),
          );
          const stream = Buffer.concat(sent);
          const headLength = stream.length === 0 ? 0 : seed % Math.min(stream.length, 300);
          const { told } = await reading(stream.subarray(headLength), {
            atOnce,
            head: stream.subarray(0, headLength),
          });
          let next = 0;
          const expected = sent.flatMap((bytes, at): Told[] => {
            const start = next;
            next += bytes.length;
            const [first, length] = frames[at]!;
            if (first === 0x81 && start >= headLength) return ['x'.repeat(length)];
            if (first === 0x82 && start >= headLength) return [content.buffer.slice(0, length)];
            const rest = bytes.subarray(Math.max(0, headLength - start));
            return rest.length === 0 ? [] : [rest];
          });
          expect(brief(joined(told))).toEqual(brief(joined(expected)));
          for (const one of told) if (Buffer.isBuffer(one)) expect(one.buffer.byteLength).toBe(one.length);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('D12 law: with ws behind, the same is told as by ws alone, whatever the bytes', async () => {
    const kinds = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 5, arbitrary: anyFrame }, { weight: 1, arbitrary: anyFault }), {
          maxLength: 10,
        }),
        anyCuts,
        async (frames, atOnce) => {
          const stream = Buffer.concat(frames);
          const alone = judge();
          alone.write(stream);
          const behind = judge();
          await reading(stream, { atOnce, message: behind.say, onBytes: behind.write });
          // Faults are told a turn later.
          await new Promise((resolve) => setImmediate(resolve));
          expect(brief(behind.said)).toEqual(brief(alone.said));
          for (const one of alone.said) {
            const kind = Array.isArray(one) ? String(one[0]) : typeof one;
            kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
          }
        },
      ),
      { numRuns: 400 },
    );
    for (const kind of ['string', 'object', 'ping', 'pong', 'conclude', 'error'])
      expect(kinds.get(kind) ?? 0).toBeGreaterThan(10);
  });

  it('D8 D12 never wait for a payload that is larger than allowed, or of a frame that no server may send', async () => {
    const sound = picture(100_000);
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
      const { told } = await reading(broken.subarray(0, 40_000));
      expect(shown(told)).toEqual([{ handedOn: 40_000 }]);
    }
    expect(shown((await reading(sound.subarray(0, 40_000))).told)).toEqual([]);
    expect(shown((await reading(sound)).told)).toEqual([100_000]);
  });

  it('D12: leave a text that is not UTF-8, and all behind it, to be judged', async () => {
    const replaced = Buffer.from('\uFFFD is a character as well');
    const wrong = Buffer.concat([replaced, Buffer.from([0xff])]);
    const stream = Buffer.concat([frameOf(0x81, replaced), frameOf(0x81, wrong), frameOf(0x81, replaced)]);
    for (const atOnce of [Infinity, 10]) {
      const { told } = await reading(stream, { atOnce: [atOnce] });
      expect(joined(told)).toEqual([String(replaced), stream.subarray(2 + replaced.length)]);
    }
  });

  it('take no message any more when nobody listens for bytes', async () => {
    const stream = Buffer.concat([
      textOf('before'),
      frameOf(0x89, Buffer.from('ping')),
      textOf('after'),
      picture(70_000),
    ]);
    const { told } = await reading(stream, { onBytes: () => false });
    expect(shown(told)).toEqual(['before', { handedOn: 6 }]);
  });

  it('law: pass over pictures that nobody wants, however they are cut, and stay in step', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyLength, { maxLength: 8 }), anyCuts, async (lengths, atOnce) => {
        const stream = Buffer.concat(
          lengths.flatMap((length, at) => [picture(length), textOf(`text ${at}`)]),
        );
        const starts: number[] = [];
        const { told } = await reading(stream, {
          atOnce,
          wants: (start) => {
            starts.push(start.length);
            return start.length % 2 === 0;
          },
        });
        const expected = lengths.flatMap((length, at) => [
          ...(starts[at]! % 2 === 0 ? [length] : []),
          `text ${at}`,
        ]);
        expect(shown(told)).toEqual(expected);
        expect(starts.every((bytes, at) => bytes <= lengths[at]!)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('stay in step behind a frame whose first bytes came with the handshake', async () => {
    const stream = Buffer.concat([picture(70_000), picture(20_000), picture(3)]);
    for (const [headLength, expected] of [
      [1000, [{ handedOn: 69_010 }, 20_000, 3]],
      // One byte of the second header is still to come.
      [70_010 + 3, [{ handedOn: 20_001 }, 3]],
      [70_010, [20_000, 3]],
    ] as const) {
      const { told } = await reading(stream.subarray(headLength), { head: stream.subarray(0, headLength) });
      expect(shown(joined(told))).toEqual(expected);
    }
  });

  it('let others have their turn after 256 KiB', async () => {
    const { told, breaks } = await reading(picture(900_000));
    expect(shown(told)).toEqual([900_000]);
    expect(breaks).toEqual([256 * 1024, 512 * 1024, 768 * 1024]);
  });
});
