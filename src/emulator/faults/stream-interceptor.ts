import type { BodySink } from '../http/streamed-body.js';
import type { EmulatorClock } from '../clock.js';
import type { InterruptionAction, SocketFault } from '../fault.js';

/** A fault of an open stream. */
type Interruption = Extract<SocketFault, { readonly do: InterruptionAction['do'] }>;

/** Passes every write on until the fault's progress is reached, and then does what the fault says. */
export const interruptStream = (sink: BodySink, fault: Interruption, clock: EmulatorClock): BodySink => {
  const { messages, ms, bytes } = fault.after ?? {};
  let state: 'open' | 'held' | 'lost' | 'muted' = 'open';
  let isDone = false;
  let events = 0;
  let bytesLeft = bytes ?? Infinity;
  const held: (() => void)[] = [];
  const drained: (() => void)[] = [];
  const cancels: (() => void)[] = [];
  sink.onClose(() => {
    for (const cancel of cancels) cancel();
  });

  const release = (): void => {
    state = 'open';
    for (const work of held.splice(0)) work();
    for (const listener of drained) listener();
  };
  const apply = (): void => {
    if (isDone) return;
    isDone = true;
    switch (fault.do) {
      case 'cut':
        state = 'lost';
        // What was written before still leaves in this turn.
        setImmediate(() => sink.abort(fault.how ?? 'rst'));
        return;
      case 'close':
        state = 'lost';
        sink.end();
        return;
      case 'blackhole':
        state = 'lost';
        return;
      case 'mute':
        state = 'muted';
        return;
      case 'stall':
        state = 'held';
        if (fault.ms !== undefined) cancels.push(clock.after(fault.ms, release));
        return;
      case 'bytes':
        sink.write(Buffer.from(fault.hex, 'hex'));
        return;
      case 'oversize':
        writeOversize(sink, fault.bytes ?? 64 * 1024 * 1024);
        return;
      case 'flood':
        cancels.push(flood(sink, fault, clock));
        return;
      case 'illegal':
      case 'fragments':
      case 'bomb':
    }
  };
  const pass = (chunk: Buffer): boolean => {
    if (state === 'held') {
      held.push(() => void pass(chunk));
      return false;
    }
    const isComment = chunk[0] === COLON;
    if (state === 'lost' || (state === 'muted' && !isComment)) return true;
    const now = chunk.subarray(0, bytesLeft);
    const rest = chunk.subarray(now.length);
    bytesLeft -= now.length;
    const isFree = sink.write(now);
    if (bytesLeft === 0 && bytes !== undefined && !isDone) {
      bytesLeft = Infinity;
      apply();
      return rest.length > 0 ? pass(rest) : isFree;
    }
    if (!isComment) events += 1;
    if (messages !== undefined && events >= messages) apply();
    return isFree;
  };

  if (ms !== undefined) cancels.push(clock.after(ms, apply));
  if (messages === 0 || (messages === undefined && ms === undefined && bytes === undefined)) apply();
  return {
    ...sink,
    write: (chunk) => pass(Buffer.from(chunk)),
    onDrain: (listener) => {
      drained.push(listener);
      sink.onDrain(listener);
    },
    end: () => {
      if (state === 'held') held.push(sink.end);
      else if (state !== 'lost') sink.end();
    },
  };
};

/** The first byte of a comment. */
const COLON = 0x3a;

/** An event with this many bytes of data, most of them spaces. */
const writeOversize = (sink: BodySink, bytes: number): void => {
  sink.write('event: oversize\ndata: {');
  const space = Buffer.alloc(64 * 1024, ' ');
  for (let left = bytes; left > 0; left -= space.length) sink.write(space.subarray(0, left));
  sink.write('}\n\n');
};

/** Sends previews of random-looking size for as long as the stream is open; the result ends them. */
const flood = (
  sink: BodySink,
  { jobs = 1, hz = 10, previewBytes = 200_000 }: Extract<InterruptionAction, { readonly do: 'flood' }>,
  clock: EmulatorClock,
): (() => void) => {
  const picture = Buffer.alloc(previewBytes, 0xff).toString('base64');
  const data = JSON.stringify({ node_id: '1', content_type: 'image/jpeg', data_base64: picture });
  let cancel = (): void => undefined;
  const next = (): void => {
    cancel = clock.after(1000 / hz, () => {
      for (let job = 0; job < jobs; job += 1) sink.write(`event: preview\ndata: ${data}\n\n`);
      next();
    });
  };
  next();
  return () => cancel();
};
