import type { Command } from 'commander';
import type { ExitName } from '../exit-code.js';
import { exitOfError } from '../exit-of-error.js';
import { orThrow } from '../or-throw.js';
import type { CommonFlags, Perform, Session } from '../session.js';
import { withConnection } from './common-options.js';

/** Adds `promptwire cancel`. */
export const addCancel = (program: Command, perform: Perform): void => {
  withConnection(program.command('cancel'))
    .description('Cancel jobs by their ids; no other job is touched.')
    .argument('<id...>', 'prompt ids of the jobs')
    .action((promptIds: readonly string[], flags: CommonFlags) =>
      perform(flags, async (session) => {
        const ends = await Promise.all(promptIds.map((promptId) => cancelOne(session, promptId)));
        return ends.find((end) => end !== 'done') ?? 'done';
      }),
    );
};

const cancelOne = async ({ connect, report, stop }: Session, promptId: string): Promise<ExitName> => {
  const client = await connect();
  const result = await client.cancel(promptId, { signal: stop })();
  if (stop.aborted) orThrow(result);
  if (result._tag === 'Left') {
    report({ kind: 'error', error: result.left });
    return exitOfError(result.left, 'call');
  }
  report({ kind: 'cancelled', promptId });
  return 'done';
};
