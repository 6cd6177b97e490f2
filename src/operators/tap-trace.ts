import { asyncScheduler, defer, tap, type MonoTypeOperatorFunction, type TimestampProvider } from 'rxjs';
import { brief } from './brief.js';

/** Options of {@link tapTrace}. */
export interface TapTraceOptions {
  /** Takes each line; default `console.debug`. */
  readonly log?: ((line: string) => void) | undefined;
  /** Where the time comes from; default RxJS's `asyncScheduler`. */
  readonly scheduler?: TimestampProvider | undefined;
}

/**
 * Writes a line for each thing that happens on a stream, and changes nothing of it.
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
 * The times count from the subscription; an early end shows as `unsubscribe`. A line names the kind of a value and its
 * size, never its content, so neither a key nor a picture nor text of the service gets into a log; a prompt id is cut to
 * eight characters, and an error is told by its tag or name. The count belongs to one subscription.
 *
 * @param label - What the lines begin with.
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
      const begun = scheduler.now();
      let count = 0;
      const trace = (what: string): void => log(`${label} +${scheduler.now() - begun} ms ${what}`);

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
