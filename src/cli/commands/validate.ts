import {
  applyFixes,
  readGraph,
  toApiWorkflow,
  type NodeDefinitions,
  type Problem,
  verdictOf,
  writeExactJson,
} from '../../workflow/index.js';
import { checkWorkflow } from '../validation/check-workflow.js';
import type { Command } from 'commander';
import { type CommonFlags, orThrow, type RunCommand, type Session } from '../run-command.js';
import type { ExitName } from '../exit-code.js';
import { parsePythonJson } from '../input/python-json.js';
import { readWorkflowFile } from '../input/workflow-file.js';
import { replaceFile } from '../replace-file.js';
import { UsageError } from '../cli-io.js';
import { withConnection } from './common-options.js';
import type { Workflow } from '../../node.js';

interface ValidateFlags extends CommonFlags {
  readonly fix?: boolean;
}

/** Adds `promptwire validate`. */
export const addValidate = (program: Command, runCommand: RunCommand): void => {
  withConnection(program.command('validate'))
    .description('Say what the service would refuse or ignore in a workflow, without submitting it.')
    .argument('<file>', 'workflow (JSON), or a picture or video that carries one; - is standard input')
    .option('--fix', 'repair what is plain, in the file; of standard input, print the repaired workflow')
    .action((file: string, flags: ValidateFlags) =>
      runCommand(flags, (session) => validate(session, file, flags)),
    );
};

const validate = async (session: Session, file: string, flags: ValidateFlags): Promise<ExitName> => {
  session.enterStage('prepare');
  const { name, text, carrier } = await readWorkflowFile(file, {
    stdin: session.io.stdin,
    stop: session.stop,
  });
  const graph = orThrow(readGraph(text));
  if (
    flags.fix === true &&
    (graph._tag !== 'Api' || carrier !== undefined || isWrapped(text, graph.workflow))
  )
    throw new UsageError(
      `${name} holds more than a workflow in API format: convert it first, then repair that`,
    );

  let conversion: readonly Problem[] = [];
  const workflowFor = (definitions: NodeDefinitions): Workflow => {
    if (graph._tag === 'Api') return graph.workflow;
    const { workflow = {}, problems } = toApiWorkflow(graph.workflow, definitions);
    conversion = problems;
    return workflow;
  };
  let { problems, definitions } = await checkWorkflow(session, flags, workflowFor);
  let workflow = workflowFor(definitions);
  if (flags.fix === true) {
    const repaired = applyFixes(workflow, problems);
    const fixed = problems.filter(({ fix }) => fix !== undefined).length;
    if (file === '-' || repaired !== workflow) await save(session, file, repaired, fixed);
    ({ problems, definitions } = await checkWorkflow(session, flags, () => repaired));
    workflow = repaired;
  }
  const all = [...conversion, ...problems];
  for (const problem of all) session.report({ kind: 'problem', problem });
  const errors = all.filter(({ severity }) => severity === 'error').length;
  const verdict = conversion.some(({ severity }) => severity === 'error')
    ? 'refused'
    : verdictOf(workflow, definitions, problems);
  session.report({ kind: 'verdict', verdict, errors, warnings: all.length - errors });
  return errors > 0 ? 'invalidWorkflow' : 'done';
};

/** Whether the file has the nodes under a member such as `prompt`, which a repair would lose. */
const isWrapped = (text: string, workflow: Workflow): boolean => {
  const members = Object.keys(parsePythonJson(text.replace(/^\uFEFF/u, '')) as object);
  return (
    members.length !== Object.keys(workflow).length || members.some((name) => !Object.hasOwn(workflow, name))
  );
};

const save = async ({ report }: Session, file: string, workflow: Workflow, fixes: number): Promise<void> => {
  if (file === '-') {
    report({ kind: 'fixed', workflow, fixes });
    return;
  }
  await replaceFile(file, `${writeExactJson(workflow, 2)}\n`);
  report({ kind: 'fixed', workflow, path: file, fixes });
};
