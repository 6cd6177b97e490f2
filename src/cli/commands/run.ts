import {
  assign,
  type Assignment,
  parseAssignment,
  parseValue,
  placed,
  refuseLostNumbers,
} from '../input/assignment.js';
import type { Client, Workflow } from '../../node.js';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type CommonFlags, orThrow, type RunCommand, type Session } from '../run-command.js';
import type { ExitName } from '../exit-code.js';
import { followAndFinish } from './follow.js';
import { inputValue } from './upload.js';
import { type KeyedSubmission, openKeyedSubmission, submitOnce } from '../job-key/once.js';
import { reachOf } from '../report/reach.js';
import { readBaseUrl, readDialect, stateFolder } from '../settings.js';
import { readGraphText, workflowOf } from '../input/graph-file.js';
import { lostNumbers } from '../input/read-json.js';
import { readWorkflowFile } from '../input/workflow-file.js';
import { sourceOf } from '../input/read-json.js';
import { askForPaid } from '../validation/paid-nodes.js';
import { fetchDefinitions, knownDefinitions, refuseErrors } from '../validation/check-workflow.js';
import {
  positive,
  repeated,
  type RequestFlags,
  requestsOf,
  type SavingFlags,
  withConnection,
  withFrom,
  withRequests,
  withWatching,
  type FromFlags,
} from './common-options.js';
import { reportSubmission, submitAndWatch } from './submit-and-watch.js';
import { saveOptions } from './save-outputs.js';

interface RunFlags extends CommonFlags, SavingFlags, FromFlags, RequestFlags {
  readonly set?: readonly string[];
  readonly upload?: readonly string[];
  readonly detach?: boolean;
  readonly jobKey?: string;
  readonly validate: boolean;
  readonly allowPaid?: boolean;
}

/** Adds `promptwire run`. */
export const addRun = (program: Command, runCommand: RunCommand): void => {
  const command = withFrom(program.command('run'))
    .description('Submit a workflow, watch it to its end, and save its files.')
    .argument(
      '<file>',
      'workflow (JSON), in API format or as the editor saves it, or a picture or video that carries one; - is standard input',
    )
    .option(
      '--set <node.input=value>',
      'set an input of the node with this title, class or id: JSON where it is JSON, else text; repeatable',
      repeated,
    )
    .option('--upload <node.input=file>', 'upload a picture and set the input to it; repeatable', repeated)
    .option('--no-validate', 'submit without checking the workflow by the node classes of the service')
    .option('--allow-paid', 'submit a workflow with paid nodes without asking')
    .option('--detach', 'print the id once the job is submitted, and leave')
    .option('--record <file>', 'record what the connection carries, for replay')
    .option('--redact-media', 'leave the bytes of pictures out of that recording')
    .option('--record-max-bytes <n>', 'end that recording before it is larger', positive)
    .option('--job-key <key>', 'submit once for this key, ever: run again, it watches the same job', word)
    .addOption(
      new Option('--on-interrupt <what>', 'what Ctrl-C does to the job: detach leaves it, cancel ends it')
        .choices(['detach', 'cancel'])
        .default('detach'),
    );
  withConnection(withWatching(withRequests(command))).action((file: string, flags: RunFlags) =>
    runCommand(flags, (session) => run(session, file, flags)),
  );
};

const word = (text: string): string => {
  if (text.trim() === '') throw new InvalidArgumentError('It is a name of your own for this job.');
  return text;
};

const run = async (session: Session, file: string, flags: RunFlags): Promise<ExitName> => {
  session.enterStage('prepare');
  const asked = requestsOf(flags);
  const prepared = await prepareRun(session, file, flags);
  const once = await onceFor(session, prepared, flags);
  const client = await session.connect();
  if (once?.promptId !== undefined) return runAgain(session, client, prepared, once.promptId, flags);
  if (flags.validate || flags.allowPaid !== true) await checkBefore(session, flags, prepared, file);

  const { workflow } = await uploadAll(session, client, prepared);
  if (flags.detach !== true)
    return submitAndWatch(session, client, workflow, { ...saveOptions(flags), once, asked });
  const submitting = client.rest.submit(workflow, { ...asked, signal: session.stop });
  const submission = await submitOnce(session, submitting, once);
  reportSubmission(session, { ...submission, detached: true });
  return 'done';
};

/** Refuses what the service would refuse, and asks before a workflow with paid nodes is submitted. */
const checkBefore = async (
  session: Session,
  flags: RunFlags,
  prepared: PreparedRun,
  name: string,
): Promise<void> => {
  const definitions = flags.validate
    ? await refuseErrors(session, prepared)
    : await knownDefinitions(session);
  if (flags.allowPaid === true) return;
  await askForPaid(session, definitions, { workflow: prepared.workflow, targets: flags.target, name });
};

const onceFor = async (
  { io: { env } }: Session,
  { identity }: PreparedRun,
  flags: RunFlags,
): Promise<KeyedSubmission | undefined> =>
  flags.jobKey === undefined
    ? undefined
    : openKeyedSubmission({
        folder: stateFolder(env),
        jobKey: flags.jobKey,
        baseUrl: readBaseUrl(env, readDialect(env, flags.dialect), flags.baseUrl),
        workflow: identity,
        reach: reachOf(flags),
      });

const runAgain = async (
  session: Session,
  client: Client,
  { workflow }: PreparedRun,
  promptId: string,
  { detach = false, ...flags }: RunFlags,
): Promise<ExitName> => {
  session.enterStage('watch', promptId);
  reportSubmission(session, { promptId, recorded: true, nodeErrors: {}, detached: detach });
  if (detach) return 'done';
  return followAndFinish(session, client, { promptId, workflow, isKnown: true, ...saveOptions(flags) });
};

const uploadAll = async (session: Session, client: Client, prepared: PreparedRun): Promise<PreparedRun> => {
  let { workflow } = prepared;
  for (const item of prepared.uploads) {
    const file = orThrow(await client.rest.uploadImage(item.value, { signal: session.stop })());
    session.report({ kind: 'uploaded', value: inputValue(file), ...file });
    workflow = assign(workflow, item, file);
  }
  return { ...prepared, workflow, uploads: [] };
};

/** A workflow ready for its uploads and submission. */
interface PreparedRun {
  /** As the file has it. */
  readonly given: Workflow;
  readonly settings: readonly Assignment[];
  /** With `--set` applied, and the path of each file in the input that its upload will fill. */
  readonly workflow: Workflow;
  readonly uploads: readonly Assignment[];
  /** What a job key belongs to. Of a file of the editor the file itself, as each conversion may pick other dynamic prompts. */
  readonly identity: unknown;
}

/** Reads and checks the arguments before anything is sent. */
const prepareRun = async (session: Session, file: string, flags: RunFlags): Promise<PreparedRun> => {
  const named = {
    settings: (flags.set ?? []).map((text) => parseAssignment('--set', text)),
    uploads: (flags.upload ?? []).map((text) => parseAssignment('--upload', text)),
  };
  const source = sourceOf(session, flags);
  const found = await readWorkflowFile(file, source);
  const { text } = found;
  const graph = readGraphText(found, { from: flags.from, warn: source.warn });
  const placesIn = (workflow: Workflow) => ({
    settings: named.settings.map((item) => placed(workflow, item)),
    uploads: named.uploads.map((item) => placed(workflow, item)),
  });
  const known = graph._tag === 'Api' ? placesIn(graph.workflow) : undefined;
  refuseLostNumbers(file, lostNumbers(text), [...(known?.settings ?? []), ...(known?.uploads ?? [])]);
  const given = await workflowOf(graph, session, {
    definitions: () => fetchDefinitions(session),
  });
  const { settings, uploads } = known ?? placesIn(given);
  const changed = settings.reduce((before, item) => assign(before, item, parseValue(item.value)), given);
  const workflow = uploads.reduce((before, item) => assign(before, item, item.value), changed);
  const sent = graph._tag === 'Api' ? workflow : { file: graph.workflow, settings, uploads };
  const identity = flags.target === undefined ? sent : { sent, targets: flags.target };
  return { given, settings, workflow, uploads, identity };
};
