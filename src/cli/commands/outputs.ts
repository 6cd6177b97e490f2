import type { Command } from 'commander';
import { type Client, type History, isTerminal } from '../../node.js';
import { orThrow } from '../or-throw.js';
import type { CommonFlags, Perform, Session } from '../session.js';
import { withConnection, withOut, withTimeout } from './common-options.js';
import { saveOutputs } from './save-outputs.js';

interface OutputsFlags extends CommonFlags {
  readonly out: string;
}

/** Adds `promptwire outputs`. */
export const addOutputs = (program: Command, perform: Perform): void => {
  withTimeout(withOut(withConnection(program.command('outputs'))))
    .description('Save the files of a job that is over.')
    .argument('<id>', 'prompt id of the job')
    .action((promptId: string, { out, ...flags }: OutputsFlags) =>
      perform(flags, async (session) => {
        const client = await session.connect();
        const history = await readHistory(session, client, promptId);
        if (history === undefined) return 'goesOn';
        await saveOutputs(session, client, { promptId, outputs: history.outputs, out });
        return 'done';
      }),
    );
};

/** Reads the record of a job; `undefined` where there is none yet because the job goes on. */
const readHistory = async (
  session: Session,
  { rest }: Client,
  promptId: string,
): Promise<History | undefined> => {
  const history = await rest.history(promptId, { signal: session.stop })();
  if (history._tag === 'Right' || history.left._tag !== 'NotFound') return orThrow(history);
  const status = orThrow(await rest.jobStatus(promptId, { signal: session.stop })());
  if (isTerminal(status.phase)) return orThrow(history);
  session.reached('watch', promptId);
  return undefined;
};
