import type { JobEntry } from '../registry/job-entry.js';
import { encodings } from './encoding.js';
import { formatResumeToken, parseResumeToken, positionText, tokenAt, tokenBehind } from './resume-token.js';
import { isTerminal } from '../../../core/state/job-state.js';
import { markAllChanged, type Placed, type ReaderContext, type ReaderView } from './reader-view.js';
import { nativeDocument } from '../model/native-document.js';

/** The most ended jobs in the snapshot of all of an owner's jobs: the newest ones. */
const maxEndedShown = 50;
const comeBackMs = 1_000;

/** Makes the view of the gateway's own stream. */
export const nativeReader = (context: ReaderContext): ReaderView => {
  const { registry, log, scope, form, name, current, jobs, encodedOnce } = context;
  const encoding = encodings[form.format];
  const serializer = context.serializers.native;
  /** Makes the ids of events that are in no log unique. */
  let count = 0;
  const nextMark = (): string => String((count += 1));

  /** Everything that is published, in one turn: the states and the position belong together. */
  const snapshot = (): Placed => {
    const at = tokenAt(registry.position(scope.owner));
    const all = jobs().toReversed();
    const ended = all.filter(({ state }) => isTerminal(state.phase));
    const shown = new Set<JobEntry>(scope.jobId === undefined ? ended.slice(0, maxEndedShown) : ended);
    const listed = all.filter((job) => shown.has(job) || !isTerminal(job.state.phase));
    for (const job of listed) current.skipProgress(job);
    markAllChanged(context);
    const data = {
      jobs: listed.map((job) => nativeDocument(job, form.base)),
      ...(listed.length < all.length && { more: true }),
    };
    const id = formatResumeToken(at, nextMark());
    return { frames: [encoding.event(id, 'snapshot', data)], at, isOver: false };
  };
  /** Begins with the events after a position. */
  const from = (position: string | undefined): Placed => {
    markAllChanged(context);
    return { frames: [], at: tokenAt(position), isOver: false };
  };
  const resync = (): Promise<Placed> => {
    // Resuming from it is a gap once more.
    const gap = encoding.event(`gap~${nextMark()}`, 'gap', {});
    const fresh = snapshot();
    return Promise.resolve({ ...fresh, frames: [gap, ...fresh.frames] });
  };

  return {
    open: async ({ after, from: start }) => {
      if (after !== undefined) {
        const { position } = parseResumeToken(after);
        const isGap = position !== undefined && (await log.read(scope, position, 1)).gap;
        return isGap ? resync() : from(position);
      }
      if (start === 'start') return from(undefined);
      if (start === undefined) return snapshot();
      for (const job of jobs()) current.skipAll(job);
      return from(registry.position(scope.owner));
    },
    resync,
    frames: (job, logged, at) =>
      encodedOnce(logged, name, positionText(at), () =>
        serializer
          .logged(job, logged, form.base)
          .map(({ event, data }) => encoding.event(logged.id, event, data)),
      ).map((bytes) => ({ bytes, at: tokenBehind(at, logged.id) })),
    closingFrames: (at) => [
      encoding.retry(comeBackMs),
      encoding.event(formatResumeToken(at, nextMark()), 'reconnect', { afterMs: comeBackMs }),
    ],
    revokedFrames: (at) => {
      const { event, data } = serializer.revoked;
      return [encoding.event(formatResumeToken(at, nextMark()), event, data)];
    },
  };
};
