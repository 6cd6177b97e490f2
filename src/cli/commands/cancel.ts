import type { Command } from 'commander';
import { cancelAndConfirm } from '../cancel-and-confirm.js';
import type { ExitName } from '../exit-code.js';
import { exitOfError } from '../exit-of-error.js';
import type { CommonFlags, Perform, Session } from '../session.js';
import { withConnection } from './common-options.js';

/** Adds `promptwire cancel`. */
export const addCancel = (program: Command, perform: Perform): void => {
  withConnection(program.command('cancel'))
    .description('Cancel jobs by their ids, and say what became of each; no other job is touched.')
    .argument('<id...>', 'prompt ids of the jobs')
    .action((promptIds: readonly string[], flags: CommonFlags) =>
      perform(flags, async (session) => {
        const ends = await Promise.all(promptIds.map((promptId) => cancelOne(session, promptId)));
        return ends.find((end) => end !== 'done') ?? 'done';
      }),
    );
};

const cancelOne = async ({ connect, report, stop }: Session, promptId: string): Promise<ExitName> => {
  const outcome = await cancelAndConfirm(await connect(), promptId, { signal: stop });
  if (stop.aborted) throw new Error('the command was stopped while it cancelled');
  switch (outcome._tag) {
    case 'cancelled':
      report({ kind: 'cancelled', promptId });
      return 'done';
    case 'over':
      report({ kind: 'over', promptId, phase: outcome.phase });
      return 'over';
    case 'failed':
      report({ kind: 'error', error: outcome.error });
      return exitOfError(outcome.error, 'call');
  }
};
