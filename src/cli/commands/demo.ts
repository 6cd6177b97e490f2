import type { Command } from 'commander';
import { createClient, readWorkflow } from '../../node.js';
import { startEmulator, textToImageWorkflow } from '../../emulator/index.js';
import type { ExitName } from '../exit-code.js';
import { orThrow } from '../or-throw.js';
import type { CommonFlags, Perform, Session } from '../session.js';
import { withJson, withOut } from './common-options.js';
import { submitAndWatch } from './submit-and-watch.js';

interface DemoFlags extends CommonFlags {
  readonly out: string;
}

/** Adds `promptwire demo`. */
export const addDemo = (program: Command, perform: Perform): void => {
  withOut(withJson(program.command('demo')))
    .description(
      'Run a text-to-image workflow through everything, against a service in this process. Needs no key.',
    )
    .option('--no-preview', 'show no preview pictures')
    .action(({ out, ...flags }: DemoFlags) => perform(flags, (session) => demo(session, out)));
};

const demo = async (session: Session, out: string): Promise<ExitName> => {
  await using emulator = await startEmulator();
  const { baseUrl, wsUrl, apiKey } = emulator;
  await using client = createClient({ baseUrl, wsUrl, apiKey });
  const workflow = orThrow(readWorkflow(textToImageWorkflow()));
  // Names come from contents there, so replacing a file of an earlier demo loses nothing.
  return await submitAndWatch(session, client, workflow, { out, overwrite: true });
};
