import { EventEmitter } from 'node:events';
import { framedReads } from '../../src/platform/node/framed-reads.js';

/** Bytes of the largest payload that is read. */
export const most = 1024 * 1024;
/** A picture whose bytes all differ from their neighbours'. */
export const content = Buffer.from(Uint8Array.from({ length: most }, (_, at) => at % 251));

/** A frame as a server writes it. */
export const frameOf = (first: number, payload: Uint8Array): Buffer => {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = first;
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
};

/** A frame of so many of these. */
export const picture = (length: number): Buffer => frameOf(0x82, content.subarray(0, length));

/** A message, or bytes that were handed on. */
export type Told = string | ArrayBuffer | Buffer;

/** A socket that reads what is `sent`, at most so many bytes at once: what it tells in its order, and where it takes breaks. */
export const reading = async (
  sent: Buffer,
  {
    atOnce = [Infinity],
    head = Buffer.alloc(0),
    message = undefined as ((data: string | ArrayBuffer) => void) | undefined,
    wants = (start: Uint8Array): boolean => start.length >= 0,
    onBytes = undefined as ((bytes: Buffer) => boolean) | undefined,
  } = {},
) => {
  const told: Told[] = [];
  const breaks: number[] = [];
  const { onread, begin } = framedReads({
    maxPayload: most,
    message: (data) => {
      told.push(data);
      message?.(data);
    },
    wants,
  });
  let goOn = (): void => undefined;
  const socket = Object.assign(new EventEmitter(), { resume: () => goOn() });
  socket.on('data', (piece: Buffer) => {
    told.push(piece);
    if (onBytes?.(piece) === false) socket.removeAllListeners('data');
  });
  begin(head);
  for (let [from, nth] = [0, 0]; from < sent.length; nth += 1) {
    const into = (onread.buffer as () => Uint8Array)();
    const bytes = sent.subarray(from, from + Math.min(into.length, atOnce[nth % atOnce.length]!));
    into.set(bytes);
    from += bytes.length;
    if (!onread.callback.call(socket as never, bytes.length, into)) {
      const resumed = new Promise<void>((resolve) => (goOn = resolve));
      breaks.push(from);
      await resumed;
    }
  }
  return { told, breaks };
};

/** Texts as they are, messages by their size, bytes that were handed on by theirs. */
export const shown = (told: readonly Told[]): readonly unknown[] =>
  told.map((one) => {
    if (typeof one === 'string') return one;
    return Buffer.isBuffer(one) ? { handedOn: one.length } : one.byteLength;
  });
/** Bytes that were handed on one after the other are one. */
export const joined = (told: readonly Told[]): readonly Told[] =>
  told.reduce<readonly Told[]>((all, one) => {
    const last = all.at(-1);
    return Buffer.isBuffer(one) && Buffer.isBuffer(last)
      ? [...all.slice(0, -1), Buffer.concat([last, one])]
      : [...all, one];
  }, []);
