import type { Command } from 'commander';
import { orThrow } from '../or-throw.js';
import type { CommonFlags, Perform } from '../session.js';
import { withConnection } from './common-options.js';

/** Adds `promptwire user`. */
export const addUser = (program: Command, perform: Perform): void => {
  withConnection(program.command('user'))
    .description('Print whom the key belongs to: the quickest way to see whether it works.')
    .action((flags: CommonFlags) =>
      perform(flags, async ({ connect, report, stop }) => {
        const { rest } = await connect();
        report({ kind: 'user', user: orThrow(await rest.user({ signal: stop })()) });
        return 'done';
      }),
    );
};
