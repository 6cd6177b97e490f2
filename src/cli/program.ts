import { addCheck } from './commands/check.js';
import { addCodegen } from './commands/codegen.js';
import { addConformance } from './commands/conformance.js';
import { addConvert } from './commands/convert.js';
import { addDiff } from './commands/diff.js';
import { addCancel } from './commands/cancel.js';
import { addDemo } from './commands/demo.js';
import { addDoctor } from './commands/doctor.js';
import { addEmulate } from './commands/emulate.js';
import { addInit } from './commands/init.js';
import { addFollow } from './commands/follow.js';
import { addInspect } from './commands/inspect.js';
import { addInterrupt, addNodes, addQueue, addStatus, addUser } from './commands/requests.js';
import { addMcp } from './commands/mcp.js';
import { addOutputs } from './commands/outputs.js';
import { addTypes } from './commands/types.js';
import { addJobs } from './commands/jobs.js';
import { addWorker } from './commands/worker.js';
import { addReplay } from './commands/replay.js';
import { addRun } from './commands/run.js';
import { addServers } from './commands/servers.js';
import { addServe } from './commands/serve.js';
import { addStudio } from './commands/studio.js';
import { addValidate } from './commands/validate.js';
import { addUpload } from './commands/upload.js';
import { type CliIo, UsageError } from './cli-io.js';
import { Command, CommanderError } from 'commander';
import { createOutputRedactor } from './redact-output.js';
import { exitCodes } from './exit-code.js';
import { headerArguments } from './input/headers.js';
import { refuseKeyArgument } from './settings.js';
import { type RunCommand, runCommand } from './run-command.js';
import { safeLine } from './terminal/line.js';
import { version } from './package-root.js';

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
      outputError: (text, write) => write(`${safeLine(text.trim(), { redact })}\n`),
      getOutHelpWidth: () => Math.max(40, io.columns()),
      getErrHelpWidth: () => Math.max(40, io.columns()),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText('after', environmentHelp);
  for (const add of commands) add(program, runCommand);
  return program;
};

// In the order of the help text.
const commands: readonly ((program: Command, runCommand: RunCommand) => void)[] = [
  addRun,
  addValidate,
  addCheck,
  addFollow,
  addStatus,
  addOutputs,
  addUpload,
  addInspect,
  addConvert,
  addTypes,
  addCodegen,
  addDiff,
  addQueue,
  addCancel,
  addInterrupt,
  addNodes,
  addUser,
  addReplay,
  addServe,
  addStudio,
  addMcp,
  addWorker,
  addJobs,
  addServers,
  addDoctor,
  addConformance,
  addEmulate,
  addDemo,
  addInit,
];

const environmentHelp = `
Environment:
  PROMPTWIRE_BASE_URL      address of the service
  PROMPTWIRE_WS_URL        address of its socket, where it differs
  PROMPTWIRE_API_KEY       the key; never an argument
  PROMPTWIRE_API_KEY_FILE  a file that holds the key
  PROMPTWIRE_DIALECT       cloud (default), local or v2
  PROMPTWIRE_ALLOW_CLEAR_TEXT  1 for --allow-clear-text
  PROMPTWIRE_MAX_ANSWER_BYTES  as --max-answer-bytes
  PROMPTWIRE_MAX_MESSAGE_BYTES  as --max-message-bytes
  PROMPTWIRE_EARLY_BYTES   bytes kept of messages that come before the service names their job
  PROMPTWIRE_GATEWAY_TOKENS  callers of serve, as name:token,name:token
  PROMPTWIRE_GATEWAY_TOKEN  the token by which mcp asks a gateway
  PROMPTWIRE_WATCH_SECRET  what signs the watch tickets of serve
  PROMPTWIRE_REDIS_URL     address of the Redis server of worker and jobs
  PROMPTWIRE_STATE_DIR     folder for the records of --job-key and for node classes
  HTTPS_PROXY, NO_PROXY    proxy for https: and wss:, and what is reached directly; also HTTP_PROXY, ALL_PROXY
`;

/** Runs the command with these arguments and resolves with its exit code. */
export const runCli = async (argv: readonly string[], io: CliIo): Promise<number> => {
  let code: number = exitCodes.done.code;
  const redactor = createOutputRedactor(io.env);
  for (const value of headerArguments(argv)) redactor.addSecret(value);
  const program = buildProgram(io, redactor.redact, async (flags, body) => {
    code = await runCommand(io, redactor, flags, body);
  });
  try {
    refuseKeyArgument(argv);
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done.code;
    if (error instanceof UsageError)
      io.stderr.write(`error: ${safeLine(error.message, { redact: redactor.redact })}\n`);
    else if (!(error instanceof CommanderError)) throw error;
    return exitCodes.usage.code;
  }
};
