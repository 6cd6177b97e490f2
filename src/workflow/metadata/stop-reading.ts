/** Why a file could not be searched, or not to its end. */
export type ReadProblemReason =
  /** The file ends before a part that it announces. */
  | 'truncated'
  /** The file contradicts its format. */
  | 'malformed'
  /** A text that should be the workflow is not JSON. */
  | 'not-json'
  /** The text of a JSON file is not UTF-8 and has no mark of UTF-16: it was read as Latin-1, and may mean other letters. */
  | 'not-utf-8'
  /** The metadata has more bytes than `maxMetadataBytes`, as it is or inflated, or more than a million JSON values. */
  | 'too-large'
  /** The file has more parts than `maxParts`, or more than 16 bytes for each of so many would have to be read beside the metadata. */
  | 'too-many-parts'
  /** The source failed, or is not a source. */
  | 'unreadable';

/** A problem of a file, for programs (`reason`) and people (`message`). */
export interface ReadProblem {
  /** What kind of problem it is. */
  readonly reason: ReadProblemReason;
  /** One sentence. */
  readonly message: string;
}

/** Ends the search of a file from within; `workflowIn` turns it into a value. */
export class StopReading extends Error {
  override readonly name = 'StopReading';
  readonly reason: ReadProblemReason;

  constructor(reason: ReadProblemReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The search ends because the file does. */
export const truncated = (): StopReading =>
  new StopReading('truncated', 'The file ends before a part that it announces.');

/** The search ends because a part is not what its format says. */
export const malformed = (what: string): StopReading => new StopReading('malformed', `${what}.`);
