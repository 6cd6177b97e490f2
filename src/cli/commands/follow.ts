import type { Command } from 'commander';
import { forPrompt } from '../../node.js';
import type { CommonFlags, Perform } from '../session.js';
import { withConnection, withWatching } from './common-options.js';
import { finishJob } from './finish-job.js';
import { watchJob } from './watch-job.js';

interface FollowFlags extends CommonFlags {
  readonly out: string;
}

/** Adds `promptwire follow`. */
export const addFollow = (program: Command, perform: Perform): void => {
  withConnection(withWatching(program.command('follow')))
    .description('Watch a job that was submitted before, and save its files.')
    .argument('<id>', 'prompt id of the job')
    .action((promptId: string, flags: FollowFlags) =>
      perform(flags, async (session) => {
        const client = await session.connect();
        const states = client.follow(promptId, { signal: session.stop });
        const frames = client.frames.pipe(forPrompt(promptId));
        const last = await watchJob(session, { promptId, states, frames, titles: new Map() });
        return finishJob(session, client, last, { out: flags.out });
      }),
    );
};
