import { asyncScheduler, defer, type MonoTypeOperatorFunction, tap, type TimestampProvider } from 'rxjs';
import { type Frame, isFrame } from '../protocol/frames/frame.js';
import { isServiceError } from '../errors/service-error.js';
import type { JobState } from '../state/job-state.js';

/** Options of {@link tapTrace}. */
export interface TapTraceOptions {
  /** Receives each line; default `console.debug`. */
  readonly log?: ((line: string) => void) | undefined;
  /** Where the time comes from; default RxJS's `asyncScheduler`. */
  readonly scheduler?: TimestampProvider | undefined;
}

/**
 * Logs a line for each notification of a stream, and passes the stream on unchanged.
 *
 * ```text
 * source           --a--b--|
 *                  tapTrace('job')
 * result           --a--b--|
 *
 * job +0 ms subscribe
 * job +20 ms next 1 Event executing
 * job +50 ms next 2 Preview image/jpeg 18432 B
 * job +80 ms complete
 * ```
 *
 * Times count from the subscription; an early end shows as `unsubscribe`. A line names the kind of a value and its size,
 * never its content, so no key, picture or text of the service gets into a log; it cuts a prompt id to eight characters and
 * names an error by its tag or name. Each subscription has its own count.
 *
 * @param label - The start of each line.
 *
 * @example
 * ```ts
 * import { tapTrace, type Client } from 'promptwire';
 *
 * const traced = (client: Client) => client.frames.pipe(tapTrace('frames', { log: (line) => console.error(line) }));
 * ```
 */
export const tapTrace =
  <A>(
    label: string,
    { log = toConsole, scheduler = asyncScheduler }: TapTraceOptions = {},
  ): MonoTypeOperatorFunction<A> =>
  (source) =>
    defer(() => {
      const startedAt = scheduler.now();
      let count = 0;
      const trace = (what: string): void => log(`${label} +${scheduler.now() - startedAt} ms ${what}`);

      return source.pipe(
        tap({
          subscribe: () => trace('subscribe'),
          next: (value) => trace(`next ${++count} ${brief(value)}`),
          error: (error: unknown) => trace(`error ${brief(error)}`),
          complete: () => trace('complete'),
          unsubscribe: () => trace('unsubscribe'),
        }),
      );
    });

const toConsole = (line: string): void => console.debug(line);

/**
 * Describes a value by kind, numbers and sizes only: it repeats no text that could come from a service, a user or a key.
 */
const brief = (value: unknown): string => {
  if (typeof value === 'string') return `string of ${value.length}`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  if (isServiceError(value)) return value._tag;
  if (value instanceof Error) return errorName.test(value.name) ? value.name : 'Error';
  if (Array.isArray(value)) return `array of ${value.length}`;
  if (isFrame(value)) return frameBrief(value) + ofJob(value.promptId);
  if (isJobState(value))
    return `JobState ${value.phase} ${Math.round(value.progress * 100)} %${ofJob(value.promptId)}`;
  return 'object';
};

const errorName = /^[A-Z][A-Za-z]{0,30}Error$/;

const mediaType = /^(image|video|audio)\/[a-z0-9-]{1,12}$/;

const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

const frameBrief = (frame: Frame): string => {
  switch (frame._tag) {
    case 'Event':
      return `Event ${frame.type}`;
    case 'Preview':
      return `Preview ${mediaType.test(frame.mediaType) ? frame.mediaType : 'image'} ${frame.image.byteLength} B`;
    case 'Text':
      return `Text of ${frame.text.length}`;
    case 'Unknown':
      return frame.kind === 'binary' ? `Unknown binary ${frame.type}` : 'Unknown text';
    case 'Malformed':
      return `Malformed of ${frame.size}`;
  }
};

const ofJob = (promptId: string | undefined): string =>
  promptId !== undefined && uuid.test(promptId) ? ` of ${promptId.slice(0, 8)}` : '';

const isJobState = (value: object): value is JobState =>
  'phase' in value && 'promptId' in value && 'progress' in value && typeof value.progress === 'number';
