import type { Command } from 'commander';
import type { CommonFlags, Perform } from '../session.js';
import { type SavingFlags, withConnection, withWatching } from './common-options.js';
import { followAndFinish } from './follow-and-finish.js';
import { saveOptions } from './save-outputs.js';

interface FollowFlags extends CommonFlags, SavingFlags {}

/** Adds `promptwire follow`. */
export const addFollow = (program: Command, perform: Perform): void => {
  withConnection(withWatching(program.command('follow')))
    .description('Watch a job that was submitted before, and save its files.')
    .argument('<id>', 'prompt id of the job')
    .action((promptId: string, flags: FollowFlags) =>
      perform(flags, async (session) =>
        followAndFinish(session, await session.connect(), {
          promptId,
          ...saveOptions(flags),
        }),
      ),
    );
};
