import * as t from 'io-ts';

/**
 * What is kept of the one submission of a job key. Without `promptId` it is an intent: a run was about to submit, and
 * whether it did is not known. There is no key in it, neither the service's nor the job's.
 */
export interface JobRecord {
  /** Address of the service, without credentials. */
  readonly service: string;
  /** Fingerprint of the workflow as it was given. */
  readonly workflow: string;
  /** When the intent was written, as ISO 8601. */
  readonly startedAt: string;
  readonly promptId?: string;
}

/** Reads a record; `undefined` for what is none, as after a crash in the middle of writing. */
export const readJobRecord = (text: string): JobRecord | undefined => {
  try {
    const read = codec.decode(JSON.parse(text));
    return read._tag === 'Right' && read.right.promptId !== '' ? read.right : undefined;
  } catch {
    return undefined;
  }
};

const codec = t.intersection([
  t.type({ service: t.string, workflow: t.string, startedAt: t.string }),
  t.partial({ promptId: t.string }),
]);
