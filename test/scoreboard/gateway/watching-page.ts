import { createRemote } from '../../../src/remote.js';

/** A page that follows jobs by a remote, and keeps what it is told of each. */

/** What a page was told of one job, in the order in which it came. */
export interface Told {
  readonly states: string[];
  /** `completed`, or the error. */
  end?: string;
}

declare const window: { readonly jobs: readonly string[]; told?: Readonly<Record<string, Told>> };

const remote = createRemote({ account: 'visitor' });
window.told = Object.fromEntries(
  window.jobs.map((id) => {
    const told: Told = { states: [] };
    remote.follow(id).subscribe({
      next: (state) => told.states.push(JSON.stringify(state)),
      error: (error: unknown) => (told.end = String(error)),
      complete: () => (told.end = 'completed'),
    });
    return [id, told];
  }),
);
