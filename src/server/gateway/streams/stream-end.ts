import type { ByteSink } from './pull-body.js';
import { Subscription } from 'rxjs';

/** How the stream of one reader ends early, once. */
export interface StreamEnd {
  /** Unsubscribed when the stream ends. */
  readonly held: Subscription;
  /** Cuts the stream. */
  readonly fail: (error: unknown) => void;
  /** Cuts the stream for what was thrown unexpectedly, and tells of it. */
  readonly broken: (error: unknown) => void;
  /** Closes the stream: servers report errors to their log, and a reader that leaves is no error. */
  readonly leave: () => void;
  /** Does work in a turn of other code: what the work throws ends this stream alone. */
  readonly contained: (work: () => void) => void;
}

/** Makes the {@link StreamEnd} of a stream; `onError` gets what was thrown unexpectedly. */
export const streamEnd = (
  sink: () => ByteSink | undefined,
  onError: ((error: unknown) => void) | undefined,
): StreamEnd => {
  const held = new Subscription();
  const end = (tell: (sink: ByteSink) => void): void => {
    if (held.closed) return;
    held.unsubscribe();
    const last = sink();
    if (last !== undefined) tell(last);
  };
  const fail = (error: unknown): void => end((last) => last.error(error));
  const broken = (error: unknown): void => {
    onError?.(error);
    fail(error);
  };
  const contained = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      broken(error);
    }
  };
  const leave = (): void => contained(() => end((last) => last.close()));
  return { held, fail, broken, leave, contained };
};
