import type { Command } from 'commander';
import { dirname, join } from 'node:path';
import { stat } from 'node:fs/promises';
import { type CommonFlags, orThrow, type RunCommand, type Session } from '../run-command.js';
import type { ExitName } from '../exit-code.js';
import { type FromFlags, repeated, withConnection, withFrom } from './common-options.js';
import type { PreflightReport } from '../../workflow.js';
import { readGraphText } from '../input/graph-file.js';
import { readWorkflowFile } from '../input/workflow-file.js';
import { sourceOf } from '../input/read-json.js';

interface CheckFlags extends CommonFlags, FromFlags {
  readonly files?: string;
  readonly target?: readonly string[];
}

/** Adds `promptwire check`. */
export const addCheck = (program: Command, runCommand: RunCommand): void => {
  withConnection(withFrom(program.command('check')))
    .description('Say whether a workflow can run on the service and what it takes, without submitting it.')
    .argument('<file>', 'workflow (JSON), or a picture or video that carries one; - is standard input')
    .option('--files <dir>', 'folder of the files that will be uploaded; default that of the workflow')
    .option('--target <id>', 'check what this output node needs, and no others; repeatable', repeated)
    .action((file: string, flags: CheckFlags) => runCommand(flags, (session) => check(session, file, flags)));
};

const check = async (session: Session, file: string, flags: CheckFlags): Promise<ExitName> => {
  session.enterStage('prepare');
  const source = sourceOf(session, flags);
  const found = await readWorkflowFile(file, source);
  const graph = readGraphText(found, { from: flags.from, warn: source.warn });
  const client = await session.connect();
  const folder = flags.files ?? (file === '-' ? '.' : dirname(file));
  const report = orThrow(
    await client.preflight(graph.workflow, {
      ...(graph._tag === 'Api' && { ui: graph.ui }),
      targets: flags.target,
      files: (name) => sizeOf(folder, name),
      signal: session.stop,
    })(),
  );
  for (const problem of [...graph.problems, ...report.problems]) session.report({ kind: 'problem', problem });
  session.report({ kind: 'preflight', report });
  return exitOfCheck(report);
};

/** The size of a file as an input names it, in the folder or in that part of it. */
export const sizeOf = async (folder: string, name: string): Promise<number | undefined> => {
  const stats = await stat(join(folder, name.replace(/\s\[input\]$/u, ''))).catch(() => undefined);
  return stats?.isFile() === true ? stats.size : undefined;
};

/** The end of a check: paid nodes that the account may not run come first. */
export const exitOfCheck = ({
  verdict,
  plan,
  paidNodes,
  missingModels,
  uploads,
}: PreflightReport): ExitName => {
  if (paidNodes.length > 0 && plan.paidNodes === 'refused') return 'billing';
  // As any call that the service has no route for.
  if (verdict === 'unknown') return 'usage';
  const isLacking = missingModels.length > 0 || uploads.some(({ isTooLarge }) => isTooLarge);
  return verdict === 'accepted' && !isLacking ? 'done' : 'invalidWorkflow';
};
