import { describe, expect, it } from 'vitest';
import { PieceQueue, piecesOf } from '../../../src/platform/node/pieces.js';
import { Readable } from 'node:stream';
import { reuseReadBuffers } from '../../../src/platform/node/read-buffers.js';

const filled = (...sizes: readonly number[]): PieceQueue => {
  const queue = new PieceQueue();
  for (const size of sizes) queue.push(new Uint8Array(size).fill(size));
  return queue;
};

const sizesOf = async (queue: PieceQueue): Promise<readonly number[]> => {
  const sizes: number[] = [];
  for await (const { byteLength } of queue) sizes.push(byteLength);
  return sizes;
};

describe('a queue of pieces', () => {
  it('gives up its one piece at once when it has ended, and nothing afterwards', async () => {
    const queue = filled(3);
    queue.end();
    expect(queue.whole(3)).toEqual(new Uint8Array([3, 3, 3]));
    expect([queue.waiting(), queue.whole(3), await sizesOf(queue)]).toEqual([0, undefined, []]);
  });

  it.each([
    ['it goes on', filled(3), undefined, false],
    ['it is more than was asked for', filled(4), undefined, true],
    ['there are two', filled(1, 2), undefined, true],
    ['there is none', filled(), undefined, true],
    ['it failed', filled(3), new Error('cut'), true],
  ])('keeps it for who reads piece by piece where %s', async (_, queue, failure, ends) => {
    const waiting = queue.waiting();
    if (ends) queue.end(failure);
    expect([queue.whole(3), queue.waiting()]).toEqual([undefined, waiting]);
    queue.end();
    const read = sizesOf(queue);
    if (failure === undefined) expect((await read).reduce((sum, size) => sum + size, 0)).toBe(waiting);
    else await expect(read).rejects.toBe(failure);
  });

  it('wakes a reader who waits, and calls for more each time', async () => {
    const queue = new PieceQueue();
    let drained = 0;
    const pieces = queue.pieces(() => (drained += 1));
    const first = pieces.next();
    queue.push(new Uint8Array(1));
    expect(await first).toMatchObject({ done: false });
    const end = pieces.next();
    queue.end();
    expect([await end, drained]).toMatchObject([{ done: true }, 2]);
  });
});

const read = async (stream: Readable): Promise<{ text: string; pieces: number; failure?: unknown }> => {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of piecesOf(stream)) pieces.push(piece);
  } catch (failure) {
    return { text: Buffer.concat(pieces).toString(), pieces: pieces.length, failure };
  }
  return { text: Buffer.concat(pieces).toString(), pieces: pieces.length };
};

const endless = (bytes: number) => {
  let made = 0;
  const stream = new Readable({
    read() {
      made += bytes;
      this.push(Buffer.alloc(bytes));
    },
  });
  return { stream, made: () => made };
};

/** Reads as a connection of such an agent does: again and again into one buffer. */
const intoOneBuffer = (...texts: readonly string[]): Readable => {
  let shared: Uint8Array = new Uint8Array();
  const agent = {
    createConnection: ({ onread }: { onread: { buffer: Uint8Array } }) => (shared = onread.buffer),
  };
  reuseReadBuffers(agent as never);
  (agent.createConnection as unknown as (options: object) => void)({});
  const stream = new Readable({ read: () => undefined });
  for (const text of texts) {
    queueMicrotask(() => {
      shared.set(Buffer.from(text));
      stream.emit('data', Buffer.from(shared.buffer, 0, text.length));
    });
  }
  setImmediate(() => stream.push(null));
  return stream;
};

describe('the pieces of a body', () => {
  it('D16 G8 stay as they came where the next ones are read over them', async () => {
    expect((await read(intoOneBuffer('one', 'two', 'six'))).text).toBe('onetwosix');
  });

  it('come as they were, and end', async () => {
    const stream = Readable.from(['one', ' two', ' three'].map((text) => Buffer.from(text)));
    expect(await read(stream)).toEqual({ text: 'one two three', pieces: 3 });
  });

  it('are none for an empty body', async () => {
    expect(await read(Readable.from([]))).toEqual({ text: '', pieces: 0 });
  });

  it('G8 are given before the failure that follows them, which quotes nothing', async () => {
    const stream = new Readable({ read: () => undefined });
    stream.push(Buffer.from('some'));
    const reading = read(stream);
    await new Promise((resolve) => setImmediate(resolve));
    stream.destroy(Object.assign(new Error('secret'), { code: 'ECONNRESET' }));
    const { text, failure } = await reading;
    expect([text, String(failure)]).toEqual(['some', 'TransportError: the connection failed']);
    expect(failure).toMatchObject({ code: 'ECONNRESET', sent: true });
  });

  it('G8 fail where the stream was destroyed before they were asked for', async () => {
    const stream = Readable.from([Buffer.from('x')]);
    stream.destroy();
    expect((await read(stream)).failure).toMatchObject({ sent: true });
  });

  it('G12 wait for a slow reader, bounded', async () => {
    const { stream, made } = endless(64 * 1024);
    const pieces = piecesOf(stream);
    await pieces.next();
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(made()).toBeLessThan(1024 * 1024);
    const before = made();
    for (let nth = 0; nth < 20; nth += 1) await pieces.next();
    expect(made()).toBeGreaterThan(before);
    stream.destroy();
  });
});
