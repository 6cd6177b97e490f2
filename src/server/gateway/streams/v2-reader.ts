import type { JobEntry } from '../registry/job-entry.js';
import { eventsAfter } from '../../joblog/replay.js';
import { encodings } from './encoding.js';
import {
  formatResumeToken,
  parseResumeToken,
  positionText,
  type ResumeToken,
  tokenAt,
  tokenBehind,
} from './resume-token.js';
import { isTerminal } from '../../../core/state/job-state.js';
import { jobAt } from './job-at.js';
import { markAllChanged, type Placed, type ReaderContext, type ReaderView } from './reader-view.js';

/** Makes the view of the stream of one job in API v2: each connection begins with a status. */
export const v2Reader = (context: ReaderContext): ReaderView => {
  const { registry, log, scope, form, name, current, jobs, encodedOnce } = context;
  const encoding = encodings[form.format];
  const serializer = context.serializers.v2;
  /** Makes the ids of events that are in no log unique. */
  let count = 0;
  const nextMark = (): string => String((count += 1));

  /** Resuming from it is a gap once more. */
  const gapFrame = (): Uint8Array => encoding.event(`gap~${nextMark()}`, 'gap', {});
  const placed = (job: JobEntry, at: ResumeToken, before: readonly Uint8Array[] = []): Placed => {
    const { event, data } = context.v2Status(job);
    const status = encoding.event(formatResumeToken(at, 's'), event, data);
    markAllChanged(context);
    return { frames: [...before, status], at, isOver: isTerminal(job.state.phase) };
  };
  /** The job is forgotten. */
  const nothing = (frames: readonly Uint8Array[] = []): Placed => ({
    frames,
    at: tokenAt(undefined),
    isOver: false,
  });

  /** The status of now, and then the outputs so far. */
  const fresh = async (isGap: boolean): Promise<Placed> => {
    const [job] = jobs();
    const gap = isGap ? [gapFrame()] : [];
    if (job === undefined) return nothing(gap);
    const now = { ...job };
    if (isTerminal(now.state.phase)) return placed(now, tokenAt(now.position), gap);
    const own = { owner: scope.owner, jobId: now.record.id };
    const { events, gap: isCut } = await log.read(own, undefined, 1);
    const position = events[0]?.id ?? now.position;
    const statusAt = position === now.position ? undefined : now.position;
    return placed(now, { ...tokenAt(position), statusAt }, isCut && !isGap ? [gapFrame()] : gap);
  };
  /** The status of now, and then the events after it. */
  const latest = (): Placed => {
    for (const job of jobs()) current.skipAll(job);
    const [job] = jobs();
    const at = tokenAt(job?.position ?? registry.position(scope.owner));
    return job === undefined ? nothing() : placed(job, at);
  };
  /** The position where it is in the log behind another one. */
  const behind = async (position: string, later: string | undefined): Promise<string | undefined> => {
    if (later === undefined) return undefined;
    const events = await eventsAfter(log, scope, position);
    return events.some(({ id }) => id === later) ? later : undefined;
  };
  /** The status of then, and what has come since. */
  const resumed = async (token: ResumeToken): Promise<Placed> => {
    const { position } = token;
    if (position === undefined) {
      markAllChanged(context);
      return { frames: [], at: { ...token, statusAt: undefined }, isOver: false };
    }
    if ((await log.read(scope, position, 1)).gap) return fresh(true);
    const statusAt = await behind(position, token.statusAt);
    const then = await jobAt(log, jobs()[0], statusAt ?? position);
    return then === undefined ? fresh(true) : placed(then, { ...token, statusAt });
  };

  return {
    open: async ({ after, from }) => {
      if (after !== undefined) return resumed(parseResumeToken(after));
      if (from === 'latest') return latest();
      if (from === undefined) return fresh(false);
      markAllChanged(context);
      return { frames: [], at: tokenAt(undefined), isOver: false };
    },
    resync: () => fresh(true),
    frames: (job, logged, at) => {
      // The status that the reader has is newer.
      if (at.statusAt !== undefined && logged.event.type !== 'output') return [];
      const behindIt = tokenBehind(at, logged.id);
      const tokenOf = (index: number, length: number): ResumeToken =>
        index === length - 1 ? behindIt : { ...at, documents: index + 1 };
      const known = at.statusAt === undefined ? '' : `~k${at.statusAt}`;
      const events = encodedOnce(logged, `${name}${known}`, positionText(at), () =>
        serializer
          .logged(job, logged, form.base)
          .map(({ event, data }, index, { length }) =>
            encoding.event(formatResumeToken(tokenOf(index, length)), event, data),
          ),
      );
      return events.map((bytes, index) => ({ bytes, at: tokenOf(index, events.length) })).slice(at.documents);
    },
    closingFrames: () => [],
    revokedFrames: ({ position }) => {
      const { event, data } = serializer.revoked;
      return [encoding.event(formatResumeToken(tokenAt(position), nextMark()), event, data)];
    },
  };
};
