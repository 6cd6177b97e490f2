import { buildProgram } from './program.js';
import { type CliIo, UsageError } from './cli-io.js';
import { CommanderError } from 'commander';
import { exitCodes, type ExitName } from './exit-code.js';
import { openHider } from './redact-output.js';
import { perform } from './perform.js';
import { refuseKeyArgument } from './settings.js';
import { sanitise } from './terminal/line.js';

/** Runs the command with these arguments in this process, or what stands for one, and resolves with its exit code. */
export const runCli = async (argv: readonly string[], io: CliIo): Promise<number> => {
  let exit: ExitName = 'done';
  const hider = openHider(io.env);
  const program = buildProgram(io, hider.hide, async (flags, body) => {
    exit = await perform(io, hider, flags, body);
  });
  try {
    refuseKeyArgument(argv);
    await program.parseAsync([...argv], { from: 'user' });
    return exitCodes[exit].code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done.code;
    if (error instanceof UsageError) io.stderr.write(`error: ${hider.hide(sanitise(error.message))}\n`);
    else if (!(error instanceof CommanderError)) throw error;
    return exitCodes.usage.code;
  }
};
