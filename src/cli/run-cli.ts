import { buildProgram } from './program.js';
import { type CliIo, UsageError } from './cli-io.js';
import { CommanderError } from 'commander';
import { exitCodes, type ExitName } from './exit-code.js';
import { createOutputRedactor } from './redact-output.js';
import { runCommand } from './perform.js';
import { refuseKeyArgument } from './settings.js';
import { sanitise } from './terminal/line.js';

/** Runs the command with these arguments and resolves with its exit code. */
export const runCli = async (argv: readonly string[], io: CliIo): Promise<number> => {
  let exit: ExitName = 'done';
  const redactor = createOutputRedactor(io.env);
  const program = buildProgram(io, redactor.redact, async (flags, body) => {
    exit = await runCommand(io, redactor, flags, body);
  });
  try {
    refuseKeyArgument(argv);
    await program.parseAsync([...argv], { from: 'user' });
    return exitCodes[exit].code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done.code;
    if (error instanceof UsageError) io.stderr.write(`error: ${redactor.redact(sanitise(error.message))}\n`);
    else if (!(error instanceof CommanderError)) throw error;
    return exitCodes.usage.code;
  }
};
