import { decodeFrame, type DecodeFrameOptions } from '../protocol/frames/decode-frame.js';
import { earlyMessages } from './early-messages.js';
import type { EventFrame, Frame } from '../protocol/frames/frame.js';
import { mayEndOthers, queueLength } from '../protocol/attribution/ends-others.js';
import { type Observable, Subject } from 'rxjs';
import { peekOwner } from '../protocol/attribution/peek-owner.js';
import type { RedactValue } from '../redaction/redact-value.js';
import { type Routes, routes } from './route.js';
import type { SocketData } from './open-socket.js';
import { startedJobs } from './started-jobs.js';
import { withoutSecrets } from './redact-frames.js';

/** Frames that arrived before their job was named. */
export interface Expectation {
  /** What arrived for this job since `expect`, decoded now; call it in the same turn as `listen`. */
  readonly claim: (promptId: string) => readonly Frame[];
  /** Says how many messages of this job came since `expect` and were too many to keep; undefined if none were. */
  readonly dropped: (promptId: string) => string | undefined;
  /** Prompt ids that started meanwhile and have no listener here. */
  readonly foreignJobs: () => readonly string[];
  readonly end: () => void;
}

/** Decodes the messages of a socket, and routes them to their listeners. */
export interface FrameReaderOptions {
  /** Whether the server runs one job at a time, so that the start of one ends the others; default false. */
  readonly oneJobAtOnce?: boolean;
  /** How many bytes of messages an expectation keeps; default 32 MiB. */
  readonly earlyBytes?: number | undefined;
  /** Called where a socket's first message gives the socket an id, as a local server's does. */
  readonly onHello?: () => void;
  /** Takes secrets out of what is shown of a malformed frame. */
  readonly redact?: (text: string) => string;
  /** Takes secrets out of every other frame. */
  readonly redactValue?: RedactValue;
}

/** Decodes the messages of a client's sockets, and hands the frames to all, to the listeners of their jobs, and to expectations. */
export interface FrameReader {
  /** Every frame that is decoded. */
  readonly live: Subject<Frame>;
  /** The listeners of jobs. */
  readonly jobs: Routes;
  /** How many jobs run or wait, of a server that runs one at a time. */
  readonly queueLengths: Observable<number>;
  /** How many messages have come, those of the handshake apart. */
  readonly messages: number;
  /** Begins with a new socket, whose announcements are still to come. */
  readonly begin: () => void;
  /** Takes the next message of the socket. */
  readonly receive: (data: SocketData) => void;
  /** Begins keeping the frames of jobs that have no listener yet. */
  readonly expect: () => Expectation;
}

/** Makes a {@link FrameReader}. */
export const frameReader = ({
  oneJobAtOnce = false,
  earlyBytes,
  onHello,
  redact,
  redactValue,
}: FrameReaderOptions): FrameReader => {
  const live = new Subject<Frame>();
  const jobs = routes(oneJobAtOnce);
  const queueLengths = new Subject<number>();
  /** `promptText` is what the socket that is open has announced. */
  let options: DecodeFrameOptions = { redact };
  const decode = (data: SocketData): Frame => withoutSecrets(data, decodeFrame(data, options), redactValue);
  const early = earlyMessages(decode, { oneAtOnce: oneJobAtOnce, maxBytes: earlyBytes });
  /** Apart from the early messages, which are bounded. */
  const started = startedJobs();
  let isFirst = false;
  let messages = 0;

  /** Counts a message; true for the first one of a socket, where it gives the socket an id. */
  const isGreeting = (data: SocketData): boolean => {
    const isIt = isFirst && typeof data === 'string' && data.includes('"sid"');
    isFirst = false;
    if (isIt) onHello?.();
    else messages += 1;
    return isIt;
  };
  /** Reads the events that concern the reader itself. */
  const readOwnEvent = (event: EventFrame): void => {
    if (event.type === 'feature_flags') {
      messages -= 1;
      options = { redact, promptText: event.data['supports_progress_text_metadata'] === true };
    } else if (event.type === 'execution_start' && event.promptId !== undefined) {
      started.add(event.promptId);
    }
  };
  const publish = (frame: Frame, tellsLength: boolean): void => {
    if (frame._tag === 'Event') readOwnEvent(frame);
    jobs.deliver(frame);
    const length = tellsLength ? queueLength(frame) : undefined;
    if (length !== undefined) queueLengths.next(length);
    live.next(frame);
  };

  return {
    live,
    jobs,
    queueLengths: queueLengths.asObservable(),
    get messages() {
      return messages;
    },
    begin: () => {
      options = { redact };
      jobs.forget();
      isFirst = true;
    },
    receive: (data) => {
      const tellsLength = !isGreeting(data) && oneJobAtOnce;
      const isWanted = live.observed || (oneJobAtOnce && mayEndOthers(data));
      const owner = isWanted ? undefined : peekOwner(data, options.promptText);
      if (owner !== undefined && owner.promptId === undefined) return;
      const kept = early.keep(data);
      if (owner?.promptId !== undefined && !jobs.has(owner.promptId)) {
        jobs.pass(owner.promptId);
        return;
      }
      const frame = decode(data);
      if (kept !== undefined) kept.frame = frame;
      publish(frame, tellsLength);
    },
    expect: () => {
      const endClaims = early.begin();
      const since = started.since();
      return {
        claim: early.of,
        dropped: early.dropped,
        foreignJobs: () => since.ids().filter((promptId) => !jobs.has(promptId)),
        end: () => {
          since.end();
          endClaims();
        },
      };
    },
  };
};
