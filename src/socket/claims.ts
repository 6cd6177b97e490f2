import type { Frame } from '../protocol/frames/frame.js';
import { ownerOf } from '../protocol/frames/owner-of.js';
import { runningPrompts } from '../protocol/frames/running-prompts.js';
import type { SocketData } from './open-socket.js';
import type { CancelTimer, Clock } from './platform.js';

const maxMessages = 1000;
const maxBytes = 32 * 1024 * 1024;
const keepMs = 30_000;

/** Messages kept, undecoded, while the answer that says whose they are is awaited. */
export interface Claims {
  /** Begins keeping; the returned function ends it, and the last one to end forgets what is left. */
  readonly begin: () => () => void;
  /** Keeps a message if anybody may claim it; the oldest go beyond 1,000 messages, 32 MiB or 30 s. */
  readonly keep: (data: SocketData) => void;
  /** What is kept of one job, oldest first. Each message is decoded once, when somebody first asks for any job. */
  readonly of: (promptId: string) => readonly Frame[];
}

interface Kept {
  readonly data: SocketData;
  readonly at: number;
  read?: { readonly frame: Frame; readonly owner: string | undefined };
}

/**
 * A bounded buffer for the events that arrive before the submission's answer names their job.
 *
 * It keeps only while a submission is under way, so a client that only watches holds nothing.
 */
export const claims = (clock: Clock, decode: (data: SocketData) => Frame): Claims => {
  let waiting = 0;
  let bytes = 0;
  let messages: Kept[] = [];
  let running = runningPrompts();
  let cancelSweep: CancelTimer | undefined;

  const read = (data: SocketData): Kept['read'] => {
    const frame = decode(data);
    return { frame, owner: ownerOf(frame, running) };
  };
  const dropOldest = (): void => {
    const dropped = messages.shift();
    if (dropped !== undefined) bytes -= sizeOf(dropped.data);
  };
  const sweep = (): void => {
    const oldest = clock.now() - keepMs;
    while (messages[0] !== undefined && messages[0].at <= oldest) dropOldest();
    cancelSweep = waiting > 0 ? clock.after(keepMs, sweep, { background: true }) : undefined;
  };

  return {
    begin: () => {
      waiting += 1;
      cancelSweep ??= clock.after(keepMs, sweep, { background: true });
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        waiting -= 1;
        if (waiting > 0) return;
        cancelSweep?.();
        cancelSweep = undefined;
        messages = [];
        running = runningPrompts();
        bytes = 0;
      };
    },
    keep: (data) => {
      if (waiting === 0) return;
      messages.push({ data, at: clock.now() });
      bytes += sizeOf(data);
      while (messages.length > maxMessages || bytes > maxBytes) dropOldest();
    },
    of: (promptId) => {
      for (const message of messages) message.read ??= read(message.data);
      return messages.flatMap((message) => (message.read?.owner === promptId ? [message.read.frame] : []));
    },
  };
};

const sizeOf = (data: SocketData): number => (typeof data === 'string' ? data.length * 2 : data.byteLength);
