import { definitionsOfService, readDefinitions, readGraphText, workflowOf } from '../input/graph-file.js';
import { withFrom, withConnection, type FromFlags } from './common-options.js';
import type { Command } from 'commander';
import type { CommonFlags, RunCommand, Session } from '../run-command.js';
import { errorCode } from '../error-code.js';
import type { ExitName } from '../exit-code.js';
import type { NodeDefinitions } from '../../workflow.js';
import { readDialect } from '../settings.js';
import { readWorkflowFile } from '../input/workflow-file.js';
import { sourceOf } from '../input/read-json.js';
import { UsageError } from '../cli-io.js';
import { writeExactJson } from '../../workflow.js';
import { writeFile } from 'node:fs/promises';

interface ConvertFlags extends CommonFlags, FromFlags {
  readonly output?: string;
  readonly definitions?: string;
  readonly rawPrompts?: boolean;
}

/** Adds `promptwire convert`. */
export const addConvert = (program: Command, runCommand: RunCommand): void => {
  withConnection(withFrom(program.command('convert')))
    .description('Convert a workflow as the editor saves it to the API format.')
    .argument(
      '<file>',
      'workflow of the editor (JSON), or a picture or video that carries one; - is standard input',
    )
    .option('-o, --output <file>', 'write it to this new file; otherwise to standard output')
    .option(
      '--definitions <file>',
      'take the node classes from this file (an answer of object_info), not from the service',
    )
    .option(
      '--raw-prompts',
      'leave dynamic prompts such as {a|b} as they are, in place of picking one option',
    )
    .action((file: string, flags: ConvertFlags) =>
      runCommand(flags, (session) => convert(session, file, flags)),
    );
};

const convert = async (session: Session, file: string, flags: ConvertFlags): Promise<ExitName> => {
  session.enterStage('prepare');
  const { report } = session;
  const graph = readGraphText(await readWorkflowFile(file, sourceOf(session, flags)), {
    from: flags.from,
    warn: sourceOf(session, flags).warn,
  });
  const workflow = await workflowOf(graph, session, {
    definitions: () => definitionsFor(session, flags),
    options: { dynamicPrompts: flags.rawPrompts === true ? 'raw' : 'expand' },
  });
  if (flags.output !== undefined) await writeNew(flags.output, `${writeExactJson(workflow, 2)}\n`);
  report({ kind: 'converted', workflow, ...(flags.output !== undefined && { path: flags.output }) });
  return 'done';
};

/** From the file that the flag names, else from the service; undefined if no service is named either. */
export const definitionsFor = async (
  session: Session,
  { definitions, ...flags }: CommonFlags & { readonly definitions?: string },
): Promise<NodeDefinitions | undefined> => {
  if (definitions !== undefined) return readDefinitions(definitions, sourceOf(session));
  return namesService(session, flags) ? definitionsOfService(session)() : undefined;
};

/** Whether flags or environment name a service; a local one has a default address. */
export const namesService = (
  { io: { env } }: Pick<Session, 'io'>,
  { baseUrl, dialect }: Pick<CommonFlags, 'baseUrl' | 'dialect'>,
): boolean => (baseUrl ?? env['PROMPTWIRE_BASE_URL'] ?? '') !== '' || readDialect(env, dialect) === 'local';

/** Writes a file that is not there yet. */
export const writeNew = async (path: string, text: string): Promise<void> => {
  try {
    await writeFile(path, text, { flag: 'wx' });
  } catch (error) {
    const code = errorCode(error) ?? String(error);
    throw new UsageError(`can't write ${path}: ${code === 'EEXIST' ? 'there is a file of this name' : code}`);
  }
};
