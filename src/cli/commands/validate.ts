import {
  blocksSubmission,
  type Conversion,
  toApiWorkflow,
  type NodeDefinitions,
  validateWorkflow,
  verdictOf,
  writeExactJson,
} from '../../workflow.js';
import { asServiceChecks, type Checked, checkByDefinitions } from '../validation/check-workflow.js';
import type { Command } from 'commander';
import { type CommonFlags, type RunCommand, type Session } from '../run-command.js';
import type { ExitName } from '../exit-code.js';
import { parsePythonJson } from '../input/python-json.js';
import { sourceOf } from '../input/read-json.js';
import { readGraphText } from '../input/graph-file.js';
import { readWorkflowFile } from '../input/workflow-file.js';
import { repair } from '../validation/repair.js';
import { replaceFile } from '../replace-file.js';
import { UsageError } from '../cli-io.js';
import { withFrom, withConnection, type FromFlags } from './common-options.js';
import type { Workflow } from '../../node.js';

interface ValidateFlags extends CommonFlags, FromFlags {
  readonly fix?: boolean;
}

/** Adds `promptwire validate`. */
export const addValidate = (program: Command, runCommand: RunCommand): void => {
  withConnection(withFrom(program.command('validate')))
    .description('Say what the service would refuse or ignore in a workflow, without submitting it.')
    .argument('<file>', 'workflow (JSON), or a picture or video that carries one; - is standard input')
    .option(
      '--fix',
      'repair misspelt inputs, other spellings of a choice and values out of bounds in the file; of standard input, print the repaired workflow',
    )
    .action((file: string, flags: ValidateFlags) =>
      runCommand(flags, (session) => validate(session, file, flags)),
    );
};

const validate = async (session: Session, file: string, flags: ValidateFlags): Promise<ExitName> => {
  session.enterStage('prepare');
  const source = sourceOf(session, flags);
  const found = await readWorkflowFile(file, source);
  const { name, text, carrier } = found;
  const graph = readGraphText(found, { from: flags.from, warn: source.warn });
  if (
    flags.fix === true &&
    (graph._tag !== 'Api' || carrier !== undefined || isWrapped(text, graph.workflow))
  )
    throw new UsageError(
      `${name} holds more than a workflow in API format: convert it first, then repair that`,
    );

  const check = async (definitions: NodeDefinitions): Promise<CheckedFile> => {
    const { workflow, problems }: Conversion =
      graph._tag === 'Api'
        ? { workflow: graph.workflow, nodeMap: {}, problems: graph.problems }
        : toApiWorkflow(graph.workflow, definitions);
    // What can't be converted is no workflow, and has none of a workflow's problems.
    const sent = flags.fix === true ? workflow : await sentAs(session, workflow, definitions);
    const found = sent === undefined ? [] : validateWorkflow(sent, definitions);
    return { definitions, workflow: sent, problems: [...problems, ...found] };
  };
  let checked = await checkByDefinitions(session, check);
  const { definitions, workflow: given } = checked;
  if (flags.fix === true && given !== undefined) {
    const { fixes, ...repaired } = repair(given, checked.problems, definitions);
    if (file === '-' || fixes > 0) await save(session, file, repaired.workflow, fixes);
    checked = { definitions, ...repaired };
  }
  const { workflow, problems } = checked;
  for (const problem of problems) session.report({ kind: 'problem', problem });
  // An error that only the server can tell does not refuse anything here, as in `run`.
  const decided = problems.filter((problem) => problem.serverOnly !== true);
  const errors = problems.filter(blocksSubmission).length;
  const verdict = workflow === undefined ? 'refused' : verdictOf(workflow, definitions, decided);
  const isBeside = flags.fix === true && file === '-';
  session.report({ kind: 'verdict', verdict, errors, warnings: problems.length - errors, isBeside });
  return errors > 0 ? 'invalidWorkflow' : 'done';
};

/** A repair is one of the file itself; without one, what the service makes of it counts. */
const sentAs = async (
  session: Session,
  workflow: Workflow | undefined,
  definitions: NodeDefinitions,
): Promise<Workflow | undefined> => workflow && asServiceChecks(session, workflow, definitions);

/** What was found in a file; its workflow is undefined if it could not be converted. */
interface CheckedFile extends Checked {
  readonly workflow: Workflow | undefined;
}

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
