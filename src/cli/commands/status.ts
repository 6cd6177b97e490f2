import type { Command } from 'commander';
import { orThrow } from '../or-throw.js';
import type { CommonFlags, Perform } from '../session.js';
import { withConnection } from './common-options.js';

/** Adds `promptwire status`. */
export const addStatus = (program: Command, perform: Perform): void => {
  withConnection(program.command('status'))
    .description('Print where a job stands.')
    .argument('<id>', 'prompt id of the job')
    .action((promptId: string, flags: CommonFlags) =>
      perform(flags, async ({ connect, report, stop }) => {
        const { rest } = await connect();
        const status = orThrow(await rest.jobStatus(promptId, { signal: stop })());
        report({ kind: 'status', status });
        if (status.failure) report({ kind: 'failure', promptId, failure: status.failure });
        return 'done';
      }),
    );
};
