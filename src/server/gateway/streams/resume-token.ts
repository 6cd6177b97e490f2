/**
 * Where a reader of a stream is: what the id of an event says, by which the reader resumes.
 *
 * An id is the position of an event in the log, or `start` before the first one, and then marks, each after a `~`: `o` with a count, `k`
 * with a position, and others that only make the id unique.
 */
export interface ResumeToken {
  /** The position of the last event that the reader has; undefined before the first. */
  readonly position: string | undefined;
  /** How many documents of the next event the reader has already: one event may be several in API v2. */
  readonly documents: number;
  /** The reader has the status of this later position already, so that up to it only outputs are new. */
  readonly statusAt: string | undefined;
}

/** The token of a reader that has all events up to a position. */
export const tokenAt = (position: string | undefined): ResumeToken => ({
  position,
  documents: 0,
  statusAt: undefined,
});

/** The token of a reader that gets the event at the next position. */
export const tokenBehind = ({ statusAt }: ResumeToken, position: string): ResumeToken => ({
  ...tokenAt(position),
  statusAt: statusAt === position ? undefined : statusAt,
});

/** What stands for the position of a token in ids. */
export const positionText = ({ position }: ResumeToken): string => position ?? 'start';

/** Writes the id of an event; `mark` makes it unique where the token has no count of documents. */
export const formatResumeToken = (token: ResumeToken, mark?: string): string => {
  const { documents, statusAt } = token;
  const own = documents > 0 ? `o${documents}` : mark;
  return [positionText(token), own, statusAt && `k${statusAt}`]
    .filter((part) => part !== undefined)
    .join('~');
};

/** Reads an id that came from outside: every text gives a token, and the log may have no such position. */
export const parseResumeToken = (id: string): ResumeToken => {
  const [position = '', ...marks] = id.split('~');
  const markOf = (letter: string) => marks.find((mark) => mark.startsWith(letter))?.slice(1);
  return {
    position: position === 'start' ? undefined : position,
    documents: Number(/^\d{1,6}$/u.exec(markOf('o') ?? '')?.[0] ?? 0),
    statusAt: markOf('k'),
  };
};
