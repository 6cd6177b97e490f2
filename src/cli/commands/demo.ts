import type { Command } from 'commander';
import { type CommonFlags, orThrow, type RunCommand, type Session } from '../session.js';
import { createClient } from '../perform.js';
import type { ExitName } from '../exit-code.js';
import { readWorkflow } from '../../node.js';
import { saveOptions } from './save-outputs.js';
import { type SavingFlags, withJson, withSaving } from './common-options.js';
import { startEmulator, textToImageWorkflow } from '../../emulator/index.js';
import { submitAndWatch } from './submit-and-watch.js';

interface DemoFlags extends CommonFlags, SavingFlags {}

/** Adds `promptwire demo`. */
export const addDemo = (program: Command, runCommand: RunCommand): void => {
  withSaving(withJson(program.command('demo')))
    .description(
      'Run a text-to-image workflow through everything, against a service in this process. Needs no key.',
    )
    .option('--no-preview', 'show no preview pictures')
    .action((flags: DemoFlags) => runCommand(flags, (session) => demo(session, flags)));
};

const demo = async (session: Session, flags: SavingFlags): Promise<ExitName> => {
  await using emulator = await startEmulator();
  const { baseUrl, wsUrl, apiKey } = emulator;
  await using client = createClient({ baseUrl, wsUrl, apiKey });
  const workflow = orThrow(readWorkflow(textToImageWorkflow()));
  return await submitAndWatch(session, client, workflow, saveOptions(flags));
};
