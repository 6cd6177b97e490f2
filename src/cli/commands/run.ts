import type { Command } from 'commander';
import { type Client, readWorkflow, setInput, type Workflow } from '../../node.js';
import { inputValue } from '../input/file-reference.js';
import { type Assignment, parseAssignment } from '../input/assignment.js';
import { parseValue } from '../input/parse-value.js';
import { readJson } from '../input/read-json.js';
import type { ExitName } from '../exit-code.js';
import { orThrow } from '../or-throw.js';
import type { CommonFlags, Perform, Session } from '../session.js';
import { repeated, withConnection, withWatching } from './common-options.js';
import { reportSubmission } from './report-submission.js';
import { submitAndWatch } from './submit-and-watch.js';

interface RunFlags extends CommonFlags {
  readonly set?: readonly string[];
  readonly upload?: readonly string[];
  readonly out: string;
  readonly detach?: boolean;
}

/** Adds `promptwire run`. */
export const addRun = (program: Command, perform: Perform): void => {
  const command = program
    .command('run')
    .description('Submit a workflow, watch it to its end, and save its files.')
    .argument('<file>', 'workflow in API format (JSON); - is standard input')
    .option(
      '--set <node.input=value>',
      'set an input: JSON where it is JSON, else text; repeatable',
      repeated,
    )
    .option(
      '--upload <node.input=file>',
      'upload a picture and set the input to its name; repeatable',
      repeated,
    )
    .option('--detach', 'print the id once the job is submitted, and leave');
  withConnection(withWatching(command)).action((file: string, flags: RunFlags) =>
    perform(flags, (session) => run(session, file, flags)),
  );
};

const run = async (session: Session, file: string, flags: RunFlags): Promise<ExitName> => {
  session.reached('prepare');
  const settings = (flags.set ?? []).map((text) => parseAssignment('--set', text));
  const uploads = (flags.upload ?? []).map((text) => parseAssignment('--upload', text));
  const given = orThrow(readWorkflow(await readJson(file, { stdin: session.io.stdin, stop: session.stop })));
  const changed = settings.reduce((workflow, item) => assign(workflow, item, parseValue(item.value)), given);
  // Set to the path first, so that a wrong node id is told before anything is uploaded.
  uploads.reduce((workflow, item) => assign(workflow, item, item.value), changed);

  const client = await session.connect();
  const workflow = await uploadAll(session, client, changed, uploads);
  return flags.detach === true
    ? detach(session, client, workflow)
    : submitAndWatch(session, client, workflow, { out: flags.out });
};

const assign = (workflow: Workflow, { nodeId, input }: Assignment, value: unknown): Workflow =>
  orThrow(setInput(workflow, nodeId, input, value));

const uploadAll = async (
  session: Session,
  client: Client,
  given: Workflow,
  uploads: readonly Assignment[],
): Promise<Workflow> => {
  let workflow = given;
  for (const item of uploads) {
    const file = orThrow(await client.rest.uploadImage(item.value, { signal: session.stop })());
    session.report({ kind: 'uploaded', value: inputValue(file), ...file });
    workflow = assign(workflow, item, inputValue(file));
  }
  return workflow;
};

const detach = async (session: Session, client: Client, workflow: Workflow): Promise<ExitName> => {
  session.reached('submit');
  const submission = orThrow(await client.rest.submit(workflow, { signal: session.stop })());
  session.reached('watch', submission.promptId);
  reportSubmission(session, { ...submission, detached: true });
  return 'done';
};
