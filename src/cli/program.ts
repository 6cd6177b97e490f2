import { addCancel } from './commands/cancel.js';
import { addDemo } from './commands/demo.js';
import { addEmulate } from './commands/emulate.js';
import { addFollow } from './commands/follow.js';
import { addInterrupt, addQueue, addStatus, addUser } from './commands/requests.js';
import { addNodes } from './commands/nodes.js';
import { addOutputs } from './commands/outputs.js';
import { addRun } from './commands/run.js';
import { addUpload } from './commands/upload.js';
import type { CliIo } from './cli-io.js';
import { Command } from 'commander';
import type { RunCommand } from './session.js';
import { readFileSync } from 'node:fs';
import { sanitise } from './terminal/line.js';

/** Builds the whole command; it exits by throwing commander's `CommanderError`. Error texts that quote arguments pass `redact`. */
export const buildProgram = (
  io: Pick<CliIo, 'stdout' | 'stderr' | 'columns'>,
  redact: (text: string) => string,
  runCommand: RunCommand,
): Command => {
  const program = new Command('promptwire')
    .description('Run node-graph workflows on a service, watch them live, and save what they make.')
    .version(version(), '--version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) => write(`${redact(sanitise(text).trim())}\n`),
      getOutHelpWidth: () => Math.max(40, io.columns()),
      getErrHelpWidth: () => Math.max(40, io.columns()),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText('after', environmentHelp);
  for (const add of commands) add(program, runCommand);
  return program;
};

// The path is the same from src and from dist.
const version = (): string => {
  const { version: current } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as {
    readonly version: string;
  };
  return current;
};

// In the order of the help text.
const commands: readonly ((program: Command, runCommand: RunCommand) => void)[] = [
  addRun,
  addFollow,
  addStatus,
  addOutputs,
  addUpload,
  addQueue,
  addCancel,
  addInterrupt,
  addNodes,
  addUser,
  addEmulate,
  addDemo,
];

const environmentHelp = `
Environment:
  PROMPTWIRE_BASE_URL      address of the service
  PROMPTWIRE_WS_URL        address of its socket, where it differs
  PROMPTWIRE_API_KEY       the key; never an argument
  PROMPTWIRE_API_KEY_FILE  a file that holds the key
  PROMPTWIRE_DIALECT       cloud (default) or local
  PROMPTWIRE_STATE_DIR     folder for the records of --job-key
`;
