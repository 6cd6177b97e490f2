import type { Command } from 'commander';
import { orThrow } from '../or-throw.js';
import type { CommonFlags, Perform } from '../session.js';
import { withConnection } from './common-options.js';

/** Adds `promptwire queue`. */
export const addQueue = (program: Command, perform: Perform): void => {
  withConnection(program.command('queue'))
    .description('Print the jobs of the account that run and that wait.')
    .action((flags: CommonFlags) =>
      perform(flags, async ({ connect, report, stop }) => {
        const { rest } = await connect();
        report({ kind: 'queue', queue: orThrow(await rest.queue({ signal: stop })()) });
        return 'done';
      }),
    );
};
