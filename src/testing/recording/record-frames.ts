import type { Clock } from '../../core/platform/platform.js';
import type { Frame } from '../../core/protocol/frames/frame.js';
import type { ServiceError } from '../../core/errors/errors.js';
import type { SocketRecorder, SocketTape } from '../../core/socket/socket-recorder.js';
import { defer, finalize, type MonoTypeOperatorFunction, tap } from 'rxjs';
import { encodeFrame } from '../encode-frame.js';
import { isServiceError, serviceError } from '../../core/errors/service-error.js';
import { type LineFile, openLineFile } from './disk.js';
import { realClock } from '../../core/platform/clock.js';
import { type RecordingLine, recordingHead } from './recording-line.js';
import { redactor } from '../../core/redaction/redact.js';
import { safeMessage } from './safe-message.js';

/** Options of {@link recordFrames}. */
export interface RecordFramesOptions {
  /** Leaves out the bytes of pictures, and of binary messages of unknown types; default false. */
  readonly redactMedia?: boolean | undefined;
  /** Ends the recording before it is larger than so many bytes; default 256 MiB. */
  readonly maxBytes?: number | undefined;
  /** More secrets that may stand in no recording; the client's own are known where it records. */
  readonly secrets?: readonly string[] | undefined;
  /** The time of the operator; default the machine's. A client records by its own clock. */
  readonly clock?: Clock | undefined;
  /** Called once, when the recording ends. */
  readonly onEnd?: ((end: RecordingEnd) => void) | undefined;
}

/** Why a recording has ended: its stream or client did, it reached `maxBytes`, or it could not be written. */
export interface RecordingEnd {
  /** Which of them it is. */
  readonly reason: 'closed' | 'full' | 'failed';
  /** How many messages it holds. */
  readonly messages: number;
  /** How many bytes it has. */
  readonly bytes: number;
  /** How many it may have. */
  readonly maxBytes: number;
  /** Why it could not be written. */
  readonly error?: ServiceError | undefined;
}

/** An operator on frames, and the option `record` of `createClient`. */
export type FrameRecorder = MonoTypeOperatorFunction<Frame> & SocketRecorder;

/**
 * Records frames as JSON lines, which `replayFrames` and `promptwire replay` play: as an operator what passes it, as the option
 * `record` of `createClient` everything that the client's sockets carry, in both directions.
 *
 * The target is a path, on Node.js, Bun and Deno, or a function that takes each line. A file is emptied first, and only its owner can
 * read it. A recording holds what the service sends: pictures, texts, and with a failure the prompts and inputs of a node. Keys and
 * the queries of signed addresses are replaced in every encoding. A recording that ends early, by `maxBytes` or a full disk,
 * disturbs neither stream nor client: `onEnd` says so. A file that can't be opened is an error of the stream, and of `createClient`:
 * `FileSystem`, or `InvalidConfig` in a page and for a recorder that is in use.
 *
 * @example
 * ```ts
 * import { createClient } from 'promptwire';
 * import { recordFrames } from 'promptwire/testing';
 *
 * const client = createClient({
 *   baseUrl: 'http://127.0.0.1:8188',
 *   dialect: 'local',
 *   record: recordFrames('session.jsonl', { redactMedia: true }),
 * });
 * ```
 */
export const recordFrames = (
  target: string | ((line: string) => void),
  { redactMedia = false, maxBytes = defaultMaxBytes, secrets = [], clock, onEnd }: RecordFramesOptions = {},
): FrameRecorder => {
  let isInUse = false;
  const redactOwn = redactor(secrets);

  const open = ({ clock: time, redact }: Parameters<SocketRecorder['attach']>[0]): Tape => {
    if (isInUse) {
      const message = 'This recorder records already: make another one by recordFrames.';
      throw serviceError('InvalidConfig', { option: 'record', message });
    }
    const file: LineFile =
      typeof target === 'string' ? openLineFile(target) : { write: target, close: () => undefined };
    isInUse = true;
    const startedAt = time.now();
    let bytes = 0;
    let messages = 0;
    const options = { redactMedia, redact: (text: string) => redactOwn(redact(text)) };

    const end = (reason: RecordingEnd['reason'], error?: ServiceError): void => {
      if (!isInUse) return;
      isInUse = false;
      attempt(() => file.close());
      onEnd?.({ reason, messages, bytes, maxBytes, ...(error === undefined ? {} : { error }) });
    };
    const attempt = (work: () => void): void => {
      try {
        work();
      } catch (cause) {
        end('failed', isServiceError(cause) ? cause : serviceError('Defect', { cause }));
      }
    };
    const writeText = (text: string): void =>
      attempt(() => {
        file.write(text);
        bytes += new TextEncoder().encode(text).length;
      });
    const write = (line: LineContent): void => {
      if (!isInUse) return;
      const timed = { ms: Math.round((time.now() - startedAt) * 1000) / 1000, ...line };
      const text = `${JSON.stringify(timed)}\n`;
      if (
        !('end' in line) &&
        bytes + 3 * text.length > maxBytes &&
        bytes + byteLength(text) + reserve > maxBytes
      ) {
        write({ end: 'full' });
        end('full');
        return;
      }
      if ('direction' in line) messages += 1;
      writeText(text);
    };

    writeText(recordingHead(time.wall()));
    return {
      opened: () => write({ socket: 'opened' }),
      closed: (code) => write({ socket: 'closed', code }),
      message: (direction, data) =>
        attempt(() =>
          write({
            direction,
            ...safeMessage(typeof data === 'string' ? data : new Uint8Array(data), options),
          }),
        ),
      frame: (frame) => attempt(() => write(lineOf(frame, options))),
      end: () => {
        write({ end: 'closed' });
        end('closed');
      },
    };
  };

  const operator: MonoTypeOperatorFunction<Frame> = (source) =>
    defer(() => {
      const tape = open({ clock: clock ?? realClock, redact: (text) => text });
      return source.pipe(
        tap((frame) => tape.frame(frame)),
        finalize(() => tape.end()),
      );
    });
  return Object.assign(operator, { attach: open });
};

const defaultMaxBytes = 256 * 1024 * 1024;
/** Room for the line that says that the recording is full. */
const reserve = 64;

interface Tape extends SocketTape {
  readonly frame: (frame: Frame) => void;
}

type LineContent = RecordingLine extends infer Line
  ? Line extends RecordingLine
    ? Omit<Line, 'ms'>
    : never
  : never;

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

const lineOf = (frame: Frame, options: Parameters<typeof safeMessage>[1]): LineContent => {
  if (frame._tag === 'Malformed') {
    const { reason, size, sample } = frame;
    return {
      direction: 'in',
      malformed: { reason: options.redact(reason), size, sample: options.redact(sample) },
    };
  }
  const promptText = frame._tag === 'Text' ? { promptText: frame.promptId !== undefined } : {};
  return { direction: 'in', ...safeMessage(encodeFrame(frame), options), ...promptText };
};
