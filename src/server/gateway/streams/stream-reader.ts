import type { BoardJob } from '../jobs/board-job.js';
import { currentState } from './current-state.js';
import { encodings } from './encoding.js';
import type { LoggedEvent, LogScope } from '../ports/event-log.js';
import { jobAt } from './job-at.js';
import { isTerminal } from '../../../core/state/job-state.js';
import { nativeDocument } from './native-document.js';
import type { StreamEvent } from './stream-words.js';
import type { StreamContext } from './stream-context.js';
import type { StreamForm, StreamStart } from '../jobs/gateway-jobs.js';

/** A reader's place in the log of an owner, and what it has to get besides. */
export interface StreamReader {
  /** Takes the place from which the stream begins; before anything else. */
  readonly open: () => Promise<void>;
  /** Something about this job is new. */
  readonly noted: (jobId: string) => void;
  /** What comes next, encoded: about `maxBytes` of it, but one event at least where there is one. */
  readonly next: (maxBytes: number) => Promise<NextPieces>;
  /** The same where it is known without a look at the log; otherwise undefined. */
  readonly known: (maxBytes: number) => NextPieces | undefined;
  /** Whether the reader has everything that is published. */
  readonly hasAll: () => boolean;
  /** What ends a stream that is not over. */
  readonly farewell: () => readonly Uint8Array[];
  /** What ends a stream whose reader may not go on. */
  readonly revoked: () => readonly Uint8Array[];
}

/** What a reader gets. */
export interface NextPieces {
  readonly pieces: readonly Uint8Array[];
  /** Nothing comes any more. */
  readonly isOver: boolean;
  /** When to look again also without news. */
  readonly againInMs?: number;
}

/** The newest of the jobs that have ended stand in the snapshot of all of an owner's jobs, at most so many. */
const endedShown = 50;
/** How many events are read at once. */
const pageSize = 200;
const comeBackMs = 1_000;

/** Puts a reader at the start of its stream. */
export const streamReader = (
  context: StreamContext,
  scope: LogScope,
  form: StreamForm,
  { after, from }: StreamStart,
): StreamReader => {
  const { board, log, words: vocabularies, encodedOnce } = context;
  const { view, base } = form;
  const encoding = encodings[form.format];
  const words = vocabularies[view];
  const isV2 = view === 'v2';
  /** The position of the last event that the reader has; undefined before the first. */
  let cursor: string | undefined;
  /** How many events of the next one in the log the reader has already: one there may be several in API v2. */
  let skipped = 0;
  /** A fresh reader in the words of v2 has the status; up to this position only outputs are new to it. */
  let statusKnownTo: string | undefined;
  let count = 0;
  let isOpening = true;
  let isOver = false;
  const hasEnded = (): boolean => isOver;
  let pieces: Uint8Array[] = [];
  let size = 0;

  const put = (bytes: Uint8Array): void => {
    pieces.push(bytes);
    size += bytes.length;
  };
  const putOwn = (id: string, { event, data }: StreamEvent): void => put(encoding.event(id, event, data));
  const place = (): string => cursor ?? 'start';
  /** Goes with the ids of a reader that has a newer status than the events before it say, so that it keeps it when it resumes. */
  const known = (): string => (statusKnownTo === undefined ? '' : `~k${statusKnownTo}`);
  const transient = (): string => `${place()}~${(count += 1)}`;
  /** Readers with this name and the same place get the same bytes. */
  const name = `${scope.jobId === undefined ? 'jobs' : 'job'} ${form.format} ${view} ${base}`;
  const current = currentState(context, form, name, place, (events) => events.forEach(put));
  const jobs = (): readonly BoardJob[] => {
    if (scope.jobId === undefined) return board.ofOwner(scope.owner);
    const job = board.get(scope.jobId);
    return job?.record.owner === scope.owner ? [job] : [];
  };
  /** Everything that is published, in one turn: the states and the position belong together. */
  const snapshot = (): void => {
    cursor = board.position(scope.owner);
    const all = jobs().toReversed();
    const ended = all.filter(({ state }) => isTerminal(state.phase));
    const shown = new Set<BoardJob>(scope.jobId === undefined ? ended.slice(0, endedShown) : ended);
    const listed = all.filter((job) => shown.has(job) || !isTerminal(job.state.phase));
    const more = listed.length < all.length;
    for (const job of listed) current.hasProgress(job);
    putOwn(transient(), {
      event: 'snapshot',
      data: { jobs: listed.map(nativeDocument), ...(more && { more }) },
    });
  };
  /** Resuming from it is a gap once more. */
  const putGap = (): void => putOwn(`gap~${(count += 1)}`, { event: 'gap', data: {} });
  const gap = async (): Promise<void> => {
    skipped = 0;
    statusKnownTo = undefined;
    putGap();
    if (isV2) await v2Fresh(true);
    else snapshot();
    noteAll();
  };
  const noteAll = (): void => {
    for (const { record, state } of jobs()) if (!isTerminal(state.phase)) current.noted(record.id);
  };

  const v2Fresh = async (isGapSaid: boolean): Promise<void> => {
    const [job] = jobs();
    if (job === undefined) return;
    const now = { ...job };
    isOver = isTerminal(now.state.phase);
    cursor = now.position;
    if (!isOver) {
      // From the first event on: the outputs so far follow.
      const own = { owner: scope.owner, jobId: now.record.id };
      const { events, gap: isCut } = await log.read(own, undefined, 1);
      if (isCut && !isGapSaid) putGap();
      cursor = events[0]?.id ?? now.position;
      statusKnownTo = cursor === now.position ? undefined : now.position;
    }
    putOwn(`${place()}~s${known()}`, context.v2Status(now));
  };
  /** The position where it is in the log behind the cursor. */
  const behindCursor = async (position: string | undefined): Promise<string | undefined> => {
    if (position === undefined) return undefined;
    const { events } = await log.read(scope, cursor, 1_000_000);
    return events.some(({ id }) => id === position) ? position : undefined;
  };

  const open = async (): Promise<void> => {
    await board.ready(scope.owner);
    if (after !== undefined) {
      const [position = '', ...marks] = after.split('~');
      const markOf = (letter: string) => marks.find((mark) => mark.startsWith(letter))?.slice(1);
      const { gap: isGap } = position === 'start' ? { gap: false } : await log.read(scope, position, 1);
      if (isGap) {
        await gap();
        return;
      }
      cursor = position === 'start' ? undefined : position;
      skipped = isV2 ? Number(/^\d{1,6}$/u.exec(markOf('o') ?? '')?.[0] ?? 0) : 0;
      if (isV2 && cursor !== undefined) {
        statusKnownTo = await behindCursor(markOf('k'));
        const then = await jobAt(log, jobs()[0], statusKnownTo ?? cursor);
        if (then === undefined) {
          await gap();
          return;
        }
        putOwn(`${cursor}${skipped > 0 ? `~o${skipped}` : '~s'}${known()}`, context.v2Status(then));
        isOver = isTerminal(then.state.phase);
      }
      noteAll();
      return;
    }
    if (from === 'start') {
      noteAll();
      return;
    }
    if (from === 'latest') {
      cursor = board.position(scope.owner);
      for (const job of jobs()) current.hasAll(job);
      noteAll();
      const [job] = jobs();
      if (isV2 && job !== undefined) {
        cursor = job.position ?? cursor;
        putOwn(`${place()}~s`, context.v2Status(job));
        isOver = isTerminal(job.state.phase);
      }
      return;
    }
    if (isV2) await v2Fresh(false);
    else snapshot();
    noteAll();
  };

  const putLogged = (job: BoardJob, logged: LoggedEvent, maxBytes: number): boolean => {
    const at = place();
    const after = logged.id === statusKnownTo ? '' : known();
    const events = encodedOnce(logged, `${name}${known()}`, at, () =>
      words
        .logged(job, logged, base)
        .map(({ event, data }, index, { length }) =>
          encoding.event(
            index === length - 1 ? `${logged.id}${after}` : `${at}~o${index + 1}${known()}`,
            event,
            data,
          ),
        ),
    );
    const isShown = statusKnownTo === undefined || logged.event.type === 'output';
    if (isShown) {
      for (const [index, bytes] of events.entries()) {
        if (index < skipped) continue;
        if (size > 0 && size + bytes.length > maxBytes) return false;
        put(bytes);
        skipped = index === events.length - 1 ? 0 : index + 1;
      }
    }
    skipped = 0;
    cursor = logged.id;
    if (cursor === statusKnownTo) statusKnownTo = undefined;
    return true;
  };
  const lastPublished = (): string | undefined =>
    scope.jobId === undefined ? board.position(scope.owner) : jobs()[0]?.position;
  /** Puts what the log has; false where there was no room for all of it. */
  const putLog = async (maxBytes: number): Promise<boolean> => {
    for (;;) {
      // As of before the read, which what happens meanwhile overtakes: that comes with the next look.
      const last = lastPublished();
      const [own] = scope.jobId === undefined ? [] : jobs();
      const hasEnded = scope.jobId !== undefined && (own === undefined || isTerminal(own.state.phase));
      // Where only progress and previews are new, the log has nothing to say.
      if (cursor !== undefined && cursor === last) {
        isOver ||= hasEnded;
        return true;
      }
      const page = await log.read(scope, cursor, pageSize);
      if (page.gap) {
        if (scope.jobId !== undefined && jobs().length === 0) isOver = true;
        else await gap();
        return true;
      }
      const events = publishedTo(last, page.events);
      for (const logged of events) {
        const job = board.get(logged.jobId);
        if (job === undefined) continue;
        if (!putLogged(job, logged, maxBytes)) return false;
        const { event } = logged;
        if (scope.jobId !== undefined && event.type === 'status' && isTerminal(event.status.phase)) {
          isOver = true;
          return true;
        }
      }
      if (events.length < pageSize) {
        // Its last event is behind the reader, or was in the snapshot.
        isOver ||= hasEnded;
        return true;
      }
    }
  };
  const hasLog = (): boolean => {
    if (isOpening || cursor === undefined) return false;
    if (scope.jobId === undefined) return cursor === board.position(scope.owner);
    const [job] = jobs();
    return job !== undefined && cursor === job.position && !isTerminal(job.state.phase);
  };
  const ticketOfPreviews = () => (!isV2 && current.hasPreviews() ? form.previewTicket?.() : undefined);
  return {
    open,
    noted: current.noted,
    hasAll: () => current.isEmpty() && hasLog(),
    known: (maxBytes) => {
      if (!hasLog()) return undefined;
      const ticket = ticketOfPreviews();
      if (ticket instanceof Promise) return undefined;
      pieces = [];
      size = 0;
      const againInMs = current.put(() => maxBytes - size, ticket);
      return { pieces, isOver, ...(againInMs !== undefined && { againInMs }) };
    },
    next: async (maxBytes) => {
      if (isOpening) {
        isOpening = false;
        if (size > 0 || isOver) return { pieces, isOver };
      }
      pieces = [];
      size = 0;
      // Before the log is read, so that nothing gets between its last event and the state.
      const ticket = await ticketOfPreviews();
      const hasAll = await putLog(maxBytes);
      const againInMs = hasAll && !hasEnded() ? current.put(() => maxBytes - size, ticket) : undefined;
      return { pieces, isOver, ...(againInMs !== undefined && { againInMs }) };
    },
    farewell: () => {
      pieces = isV2 ? [] : [encoding.retry(comeBackMs)];
      if (!isV2) putOwn(transient(), { event: 'reconnect', data: { afterMs: comeBackMs } });
      return pieces;
    },
    revoked: () => {
      pieces = [];
      putOwn(transient(), words.revoked);
      return pieces;
    },
  };
};

/** A log may give events that it does not keep for good yet, and whose state the board has not: these come later. */
const publishedTo = (last: string | undefined, events: readonly LoggedEvent[]): readonly LoggedEvent[] => {
  const count = events.findIndex(({ id }) => id === last) + 1;
  return count === 0 && events.length === pageSize ? events : events.slice(0, count);
};
