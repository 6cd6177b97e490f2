import type { Command } from 'commander';
import { orThrow } from '../or-throw.js';
import type { CommonFlags, Perform } from '../session.js';
import { withConnection } from './common-options.js';

/** Adds `promptwire interrupt`, the only place that ends what it can't name. */
export const addInterrupt = (program: Command, perform: Perform): void => {
  withConnection(program.command('interrupt'))
    .description(
      'End all running jobs of the whole account, also those of other programs. To end one job: cancel ID.',
    )
    .action((flags: CommonFlags) =>
      perform(flags, async ({ connect, report, stop }) => {
        const { rest } = await connect();
        orThrow(await rest.interrupt({ signal: stop })());
        report({ kind: 'interrupted' });
        return 'done';
      }),
    );
};
