import { CommanderError } from 'commander';
import type { CliIo } from './cli-io.js';
import { type ExitName, exitCodes } from './exit-code.js';
import { perform } from './perform.js';
import { buildProgram } from './program.js';
import { refuseKeyArgument } from './settings/refuse-key-argument.js';
import { sanitise } from './terminal/sanitise.js';
import { UsageError } from './usage-error.js';

/** Runs the command with these arguments in this process, or what stands for one, and resolves with its exit code. */
export const runCli = async (argv: readonly string[], io: CliIo): Promise<number> => {
  let exit: ExitName = 'done';
  const program = buildProgram(io, async (flags, body) => {
    exit = await perform(io, flags, body);
  });
  try {
    refuseKeyArgument(argv);
    await program.parseAsync([...argv], { from: 'user' });
    return exitCodes[exit].code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done.code;
    if (error instanceof UsageError) io.stderr.write(`error: ${sanitise(error.message)}\n`);
    else if (!(error instanceof CommanderError)) throw error;
    return exitCodes.usage.code;
  }
};
