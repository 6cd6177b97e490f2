import * as TE from 'fp-ts/lib/TaskEither.js';
import { from, NEVER, of } from 'rxjs';
import { type Client, initialJobState, type Job } from '../../../src/node.js';
import { randomUUID } from 'node:crypto';

/** A client whose service takes every job at once and ends it at once: what remains is the work of the queue. */
export const emptyClient = (): Client => {
  const jobOf = (promptId: string): Job => {
    const state = { ...initialJobState({ workflow: {} }), promptId };
    return {
      promptId,
      frames: NEVER,
      states: from([
        { ...state, phase: 'in_progress' },
        { ...state, phase: 'completed' },
      ]),
    } as unknown as Job;
  };
  const client: Partial<Client> = {
    submissionIds: 'none',
    connection: of({ _tag: 'open' }) as Client['connection'],
    submit: () => TE.right(jobOf(randomUUID())),
    job: jobOf,
    follow: (promptId) => jobOf(promptId).states,
    resume: () => undefined,
  };
  return client as Client;
};
