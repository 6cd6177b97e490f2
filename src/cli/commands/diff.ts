import { definitionsFor } from './convert.js';
import { readGraphText, workflowOf } from '../input/graph-file.js';
import { diffWorkflows, type WorkflowChange } from '../../workflow.js';
import type { Command } from 'commander';
import type { CommonFlags, RunCommand, Session } from '../run-command.js';
import type { ExitName } from '../exit-code.js';
import { readWorkflowFile } from '../input/workflow-file.js';
import { sourceOf } from '../input/read-json.js';
import { UsageError } from '../cli-io.js';
import { withConnection, withFrom, type FromFlags } from './common-options.js';
import type { Workflow } from '../../node.js';

interface DiffFlags extends CommonFlags, FromFlags {
  readonly definitions?: string;
}

/** Adds `promptwire diff`. */
export const addDiff = (program: Command, runCommand: RunCommand): void => {
  withConnection(withFrom(program.command('diff')))
    .description('Say how two workflows differ: nodes, ids, classes, titles and inputs.')
    .argument('<a>', 'workflow (JSON), or a picture or video that carries one; - is standard input')
    .argument('<b>', 'another one')
    .option(
      '--definitions <file>',
      'convert files of the editor by the node classes of this file (an answer of object_info)',
    )
    .action((a: string, b: string, flags: DiffFlags) =>
      runCommand(flags, (session) => diff(session, [a, b], flags)),
    );
};

const diff = async (
  session: Session,
  [a, b]: readonly [string, string],
  flags: DiffFlags,
): Promise<ExitName> => {
  session.enterStage('prepare');
  if (a === '-' && b === '-') throw new UsageError('only one of the two files can be standard input');
  const before = await readApiWorkflow(session, a, flags);
  const after = await readApiWorkflow(session, b, flags);
  const changes = diffWorkflows(before, after);
  for (const change of changes) session.report({ kind: 'change', node: nodeOf(after, change), change });
  return changes.length > 0 ? 'differs' : 'done';
};

const readApiWorkflow = async (session: Session, file: string, flags: DiffFlags): Promise<Workflow> => {
  const graph = readGraphText(await readWorkflowFile(file, sourceOf(session, flags)), {
    from: flags.from,
    warn: sourceOf(session, flags).warn,
  });
  return workflowOf(graph, session, {
    definitions: () => definitionsFor(session, flags),
    options: { dynamicPrompts: 'raw' },
  });
};

/** Its id with its title, or else its class. */
const nodeOf = (after: Workflow, change: WorkflowChange): string => {
  const node = 'node' in change ? change.node : after[change.nodeId];
  return `${change.nodeId} ${node?._meta?.title ?? node?.class_type ?? ''}`;
};
