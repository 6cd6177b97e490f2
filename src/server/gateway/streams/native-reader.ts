import type { JobEntry } from '../registry/job-entry.js';
import { encodings } from './encoding.js';
import { formatResumeToken, parseResumeToken, positionText, tokenAt, tokenBehind } from './resume-token.js';
import { isTerminal } from '../../../core/state/job-state.js';
import { markAllChanged, type Placed, type ReaderContext, type ReaderView } from './reader-view.js';
import { nativeDocument } from '../model/native-document.js';
import type { Steps } from '../../../core/protocol/steps.js';
import { charactersOf } from '../../../core/protocol/json/is-larger-than.js';
import { inSlices } from '../../../core/platform/in-slices.js';
import { writeExactJson } from '../../../core/protocol/json/exact-json.js';

/** The most ended jobs in the snapshot of all of an owner's jobs: the newest ones. */
const maxEndedShown = 50;
/** The most characters of their outputs, as JSON. */
const maxEndedCharacters = 4 * 2 ** 20;
const comeBackMs = 1_000;

const textBytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const jsonOf = (value: unknown): Uint8Array => textBytes(writeExactJson(value));
const comma = textBytes(',');

/** Those of jobs, the newest first, that a snapshot has. */
const newestOf = (ended: readonly JobEntry[]): readonly JobEntry[] => {
  let left = maxEndedCharacters;
  const newest = ended.slice(0, maxEndedShown);
  const end = newest.findIndex(({ state }) => (left -= charactersOf(state.outputs, left)) < 0);
  return end < 0 ? newest : newest.slice(0, end);
};

/** Makes the view of the gateway's own stream. */
export const nativeReader = (context: ReaderContext): ReaderView => {
  const { registry, log, scope, form, name, current, jobs, encodedOnce, clock } = context;
  const encoding = encodings[form.format];
  const serializer = context.serializers.native;
  /** Makes the ids of events that are in no log unique. */
  let count = 0;
  const nextMark = (): string => String((count += 1));

  /** The documents of jobs as JSON, each made once for all readers. It pauses after each: jobs may have megabytes of outputs. */
  function* documents(listed: readonly JobEntry[]): Steps<readonly Uint8Array[]> {
    const parts: Uint8Array[] = [];
    for (const job of listed) {
      if (parts.length > 0) parts.push(comma);
      parts.push(...encodedOnce(job, `${name} snapshot`, '', () => [jsonOf(nativeDocument(job, form.base))]));
      yield;
    }
    return parts;
  }
  /** Everything that is published, taken in one turn: the states and the position belong together. It is written in slices of time. */
  const snapshot = async (): Promise<Placed> => {
    const at = tokenAt(registry.position(scope.owner));
    const all = jobs().toReversed();
    const ended = all.filter(({ state }) => isTerminal(state.phase));
    const shown = new Set<JobEntry>(scope.jobId === undefined ? newestOf(ended) : ended);
    const listed = all.filter((job) => shown.has(job) || !isTerminal(job.state.phase));
    for (const job of listed) current.skipProgress(job);
    markAllChanged(context);
    const id = formatResumeToken(at, nextMark());
    const parts = await inSlices(documents(listed), clock);
    // What happened meanwhile is in the log, but for progress and for jobs that are gone.
    markAllChanged(context);
    for (const { record } of listed)
      if (registry.get(record.id) === undefined) current.markChanged(record.id);
    const data = [
      textBytes('{"jobs":['),
      ...parts,
      textBytes(listed.length < all.length ? '],"more":true}' : ']}'),
    ];
    return { frames: encoding.eventOf(id, 'snapshot', data), at, isOver: false };
  };
  /** Begins with the events after a position. */
  const from = (position: string | undefined): Placed => {
    markAllChanged(context);
    return { frames: [], at: tokenAt(position), isOver: false };
  };
  const resync = async (): Promise<Placed> => {
    // Resuming from it is a gap once more.
    const gap = encoding.event(`gap~${nextMark()}`, 'gap', {});
    const fresh = await snapshot();
    return { ...fresh, frames: [gap, ...fresh.frames] };
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
