import type { CancelTimer, Clock } from '../platform/platform.js';
import { endsOthers } from '../protocol/attribution/ends-others.js';
import type { Frame } from '../protocol/frames/frame.js';
import { ownerOf, runningPrompts } from '../protocol/attribution/running-prompts.js';
import type { SocketData } from './open-socket.js';

const maxMessages = 1000;
const maxBytes = 32 * 1024 * 1024;
const keepMs = 30_000;

/** Messages that are kept, undecoded, until the submission's answer names their job. */
export interface EarlyMessages {
  /** Begins keeping; the returned function ends it, and the last end forgets what is left. */
  readonly begin: () => () => void;
  /**
   * Keeps a message if a submission may claim it. The oldest go beyond 1,000 messages or 32 MiB, and a sweep every 30 s drops
   * what is older than 30 s. A caller that decodes the message for another reason leaves the frame in the result.
   */
  readonly keep: (data: SocketData) => EarlyMessage | undefined;
  /**
   * The frames of one job, oldest first. The first call decodes all messages, each once for all jobs.
   */
  readonly of: (promptId: string) => readonly Frame[];
}

/** A message that is kept. */
export interface EarlyMessage {
  readonly data: SocketData;
  readonly at: number;
  frame?: Frame;
  owner?: string | undefined;
}

/**
 * A bounded buffer for the events that arrive before the submission's answer names their job.
 *
 * It keeps only while a submission is under way, so a client that only watches holds nothing.
 *
 * @param oneAtOnce whether the server runs one job at a time: what ran before is over when another one starts
 */
export const earlyMessages = (
  clock: Clock,
  decode: (data: SocketData) => Frame,
  oneAtOnce = false,
): EarlyMessages => {
  let waiting = 0;
  let bytes = 0;
  let messages: EarlyMessage[] = [];
  /** How many of them, from the oldest, were decoded and stand in `frames`. */
  let read = 0;
  let frames = new Map<string | undefined, Frame[]>();
  let running = runningPrompts();
  let cancelSweep: CancelTimer | undefined;

  const readAll = (): void => {
    for (; read < messages.length; read += 1) {
      const message = messages[read] as EarlyMessage;
      const frame = (message.frame ??= decode(message.data));
      if (oneAtOnce && endsOthers(frame)) running.clear();
      message.owner = ownerOf(frame, running);
      const own = frames.get(message.owner);
      if (own === undefined) frames.set(message.owner, [frame]);
      else own.push(frame);
    }
  };
  const dropOldest = (): void => {
    const dropped = messages.shift();
    if (dropped === undefined) return;
    bytes -= sizeOf(dropped.data);
    if (read === 0) return;
    read -= 1;
    const own = frames.get(dropped.owner);
    own?.shift();
    if (own?.length === 0) frames.delete(dropped.owner);
  };
  const sweep = (): void => {
    const oldest = clock.now() - keepMs;
    while (messages[0] !== undefined && messages[0].at <= oldest) dropOldest();
    cancelSweep = messages.length > 0 ? clock.after(keepMs, sweep, { background: true }) : undefined;
  };

  return {
    begin: () => {
      waiting += 1;
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        waiting -= 1;
        if (waiting > 0) return;
        cancelSweep?.();
        cancelSweep = undefined;
        messages = [];
        read = 0;
        frames = new Map();
        running = runningPrompts();
        bytes = 0;
      };
    },
    keep: (data) => {
      if (waiting === 0) return undefined;
      cancelSweep ??= clock.after(keepMs, sweep, { background: true });
      const kept: EarlyMessage = { data, at: clock.now() };
      messages.push(kept);
      bytes += sizeOf(data);
      while (messages.length > maxMessages || bytes > maxBytes) dropOldest();
      return kept;
    },
    of: (promptId) => {
      readAll();
      return [...(frames.get(promptId) ?? [])];
    },
  };
};

const sizeOf = (data: SocketData): number => (typeof data === 'string' ? data.length * 2 : data.byteLength);
