import type { Client } from '../../node.js';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { RunCommand, Session } from '../run-command.js';
import type { ExitName } from '../exit-code.js';
import { followAndFinish } from './follow.js';
import { type KeyedSubmission, openKeyedSubmission, submitOnce } from '../job-key/once.js';
import { reachOf } from '../report/reach.js';
import { namesServers, withServers } from '../input/server-flags.js';
import { readBaseUrl, readDialect, stateFolder } from '../settings.js';
import { askForPaid } from '../validation/paid-nodes.js';
import { knownDefinitions, refuseErrors, refuseTargets } from '../validation/check-workflow.js';
import { type PreparedRun, prepareRun, type RunFlags, uploadAll } from './prepare-run.js';
import {
  positive,
  repeated,
  requestsOf,
  withConnection,
  withFrom,
  withRequests,
  withWatching,
} from './common-options.js';
import { reportSubmission, submitAndWatch } from './submit-and-watch.js';
import { runSeveral } from './run-several.js';
import { saveOptions } from './save-outputs.js';
import { UsageError } from '../cli-io.js';

/** Adds `promptwire run`. */
export const addRun = (program: Command, runCommand: RunCommand): void => {
  const command = withFrom(program.command('run'))
    .description('Submit workflows, watch them to their ends, and save their files.')
    .argument(
      '<file...>',
      'workflow (JSON), in API format or as the editor saves it, or a picture or video that carries one; - is standard input',
    )
    .option(
      '--set <node.input=value>',
      'set an input of the node with this title, class or id: JSON where it is JSON, else text; repeatable, the last one wins',
      repeated,
    )
    .option('--upload <node.input=file>', 'upload a picture and set the input to it; repeatable', repeated)
    .option('--no-validate', 'submit without checking the workflow by the node classes of the service')
    .option('--allow-paid', 'submit a workflow with paid nodes without asking')
    .option('--ephemeral', 'leave no file and no record at the service: pictures come over the connection')
    .option('--detach', 'print the id once the job is submitted, and leave')
    .option('--record <file>', 'record what the connection carries, for replay; an existing file is replaced')
    .option('--redact-media', 'leave the bytes of pictures out of that recording')
    .option('--record-max-bytes <n>', 'end that recording before it is larger; default 256 MiB', positive)
    .option('--job-key <key>', 'submit once for this key, ever: run again, it watches the same job', word)
    .addOption(
      new Option(
        '--on-interrupt <what>',
        'what Ctrl-C does to the job: detach leaves it alone, cancel ends it and waits for its end, for 30 s at most',
      )
        .choices(['detach', 'cancel'])
        .default('detach'),
    );
  withServers(withConnection(withWatching(withRequests(command)))).action(
    (files: readonly string[], flags: RunFlags) =>
      runCommand(flags, (session) => {
        refuseComingBack(flags);
        return files.length === 1 && !namesServers(flags)
          ? run(session, files[0] ?? '', flags)
          : runSeveral(session, files, flags);
      }),
  );
};

/** Of a job that leaves nothing at the service, nothing is there for a command that comes back to it. */
const refuseComingBack = ({ ephemeral = false, detach = false, jobKey }: RunFlags): void => {
  if (!ephemeral || (!detach && jobKey === undefined)) return;
  throw new UsageError(
    `--ephemeral leaves nothing to come back to: leave out ${detach ? '--detach' : '--job-key'}`,
  );
};

const word = (text: string): string => {
  if (text.trim() === '') throw new InvalidArgumentError('It is a name of your own for this job.');
  return text;
};

const run = async (session: Session, file: string, flags: RunFlags): Promise<ExitName> => {
  session.enterStage('prepare');
  const asked = { ...requestsOf(flags), ephemeral: flags.ephemeral };
  const prepared = await prepareRun(session, file, flags);
  const once = await onceFor(session, prepared, flags);
  const client = await session.connect();
  if (once?.promptId !== undefined) return runAgain(session, client, prepared, once.promptId, flags);
  if (flags.validate || flags.allowPaid !== true) await checkBefore(session, flags, prepared, file);

  await refuseTargets(session, prepared, { targets: flags.target });
  const { workflow } = await uploadAll(session, client.rest.uploadImage, prepared);
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
