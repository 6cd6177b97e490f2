import { endsOthers } from '../protocol/attribution/ends-others.js';
import type { Frame } from '../protocol/frames/frame.js';
import { ownerOf, runningPrompts } from '../protocol/attribution/running-prompts.js';
import type { SocketData } from './open-socket.js';

/** How many bytes of messages are kept where the client sets no other bound: 32 MiB. */
export const defaultEarlyBytes = 33_554_432;
/** A small message takes memory as well. */
const minBytes = 1024;
/** Of so many jobs it is known that messages were dropped. */
const maxDropped = 1000;

/** Messages that are kept, undecoded, until the submission's answer names their job. */
export interface EarlyMessages {
  /** Begins keeping; the returned function ends it, and what came before all others that are open is forgotten. */
  readonly begin: () => () => void;
  /**
   * Keeps a message if a submission may claim it. The oldest go beyond the bound, where each counts for 1 KiB at least. A caller that
   * decodes the message for another reason leaves the frame in the result.
   */
  readonly keep: (data: SocketData) => EarlyMessage | undefined;
  /**
   * The frames of one job, oldest first. The first call decodes all messages, each once for all jobs.
   */
  readonly of: (promptId: string) => readonly Frame[];
  /** Says how many messages of one job went beyond the bound; undefined if none did. */
  readonly dropped: (promptId: string) => string | undefined;
}

/** A message that is kept. */
export interface EarlyMessage {
  readonly data: SocketData;
  frame?: Frame;
  owner?: string | undefined;
}

/** Options of {@link earlyMessages}. */
export interface EarlyMessagesOptions {
  readonly oneAtOnce?: boolean | undefined;
  readonly maxBytes?: number | undefined;
}

/**
 * A bounded buffer for the events that arrive before the submission's answer names their job.
 *
 * It keeps only while a submission is under way, so a client that only watches holds nothing.
 *
 * @param oneAtOnce whether the server runs one job at a time: what ran before is over when another one starts
 */
export const earlyMessages = (
  decode: (data: SocketData) => Frame,
  { oneAtOnce = false, maxBytes = defaultEarlyBytes }: EarlyMessagesOptions = {},
): EarlyMessages => {
  /** For each open expectation, how many messages had come when it began. */
  const open = new Set<{ readonly since: number }>();
  const dropped = new Map<string, number>();
  let arrived = 0;
  let bytes = 0;
  let messages: EarlyMessage[] = [];
  /** How many of them, from the oldest, were decoded and stand in `frames`. */
  let read = 0;
  let frames = new Map<string | undefined, Frame[]>();
  let running = runningPrompts();

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
  const forgetOldest = (): string | undefined => {
    const oldest = messages.shift();
    if (oldest === undefined) return undefined;
    bytes -= sizeOf(oldest.data);
    if (read === 0) return undefined;
    read -= 1;
    const own = frames.get(oldest.owner);
    own?.shift();
    if (own?.length === 0) frames.delete(oldest.owner);
    return oldest.owner;
  };
  /** Only a decoded message says whose it is. */
  const dropOldest = (): void => {
    readAll();
    const owner = forgetOldest();
    if (owner !== undefined) addLatestCount(dropped, owner);
  };
  const forgetAll = (): void => {
    messages = [];
    read = 0;
    frames = new Map();
    running = runningPrompts();
    bytes = 0;
    dropped.clear();
  };

  return {
    begin: () => {
      const own = { since: arrived };
      open.add(own);
      return () => {
        if (!open.delete(own)) return;
        if (open.size === 0) forgetAll();
        // They stand in the order in which they began.
        const [oldest] = open;
        while (messages.length > 0 && arrived - messages.length < (oldest?.since ?? Infinity)) forgetOldest();
      };
    },
    keep: (data) => {
      if (open.size === 0) return undefined;
      const kept: EarlyMessage = { data };
      arrived += 1;
      messages.push(kept);
      bytes += sizeOf(data);
      while (bytes > maxBytes && messages.length > 0) dropOldest();
      return kept;
    },
    of: (promptId) => {
      readAll();
      return [...(frames.get(promptId) ?? [])];
    },
    dropped: (promptId) => {
      const count = dropped.get(promptId);
      return count === undefined
        ? undefined
        : `${count} message${count === 1 ? '' : 's'} about this job came before the service named it, and went beyond ${maxBytes} bytes, ` +
            'the bound of keptFrames.earlyBytes: previews, and pictures that no record has, may be missing';
    },
  };
};

const sizeOf = (data: SocketData): number =>
  Math.max(minBytes, typeof data === 'string' ? data.length * 2 : data.byteLength);

const addLatestCount = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
  const [oldest] = counts.keys();
  if (counts.size > maxDropped && oldest !== undefined) counts.delete(oldest);
};
