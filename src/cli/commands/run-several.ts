import { askForPaid } from '../validation/paid-nodes.js';
import type { CommonFlags, Session } from '../run-command.js';
import type { ExitName } from '../exit-code.js';
import { filter, firstValueFrom, map, takeUntil } from 'rxjs';
import { fromAbortSignal } from '../../node.js';
import { knownDefinitions, refuseErrors, refuseTargets } from '../validation/check-workflow.js';
import { namesServers } from '../input/server-flags.js';
import { orThrow } from '../run-command.js';
import { type PreparedRun, prepareRun, type RunFlags, uploadAll } from './prepare-run.js';
import type { Pool } from '../../pool.js';
import { reportSubmission, workflowOfRun } from './submit-and-watch.js';
import { requestsOf } from './common-options.js';
import { type NamedWorkflow, type Runner, runMany } from './run-many.js';
import { saveOptions } from './save-outputs.js';
import { UsageError } from '../cli-io.js';

/** Runs several files, or one over several servers. Nothing is submitted before all of them are read and checked. */
export const runSeveral = async (
  session: Session,
  files: readonly string[],
  flags: RunFlags,
): Promise<ExitName> => {
  if (flags.jobKey !== undefined)
    throw new UsageError('--job-key is for one job of one service: name one file, and no --server');
  session.enterStage('prepare');
  const asked = { ...requestsOf(flags), ephemeral: flags.ephemeral };
  const runner: Runner = namesServers(flags)
    ? { _tag: 'servers', pool: await session.pool({ keepsFrames: false }) }
    : { _tag: 'service', client: await session.connect({ keepsFrames: false }) };
  const one = runner._tag === 'servers' ? await withFirst(session, flags, runner.pool) : session;
  const prepared: (PreparedRun & { readonly name: string })[] = [];
  for (const name of files) {
    const run = await prepareRun(one, name, flags);
    await check(one, flags, runner, { ...run, name });
    await refuseTargets(one, run, { targets: flags.target, isOneOfMany: runner._tag === 'servers' });
    prepared.push({ ...run, name });
  }
  const upload = runner._tag === 'servers' ? runner.pool.upload : runner.client.rest.uploadImage;
  const workflows: NamedWorkflow[] = [];
  for (const run of prepared) {
    const { workflow } = await uploadAll(session, upload, run);
    workflows.push({ name: run.name, workflow: workflowOfRun(workflow, asked) });
  }
  if (flags.detach !== true)
    return runMany(session, runner, workflows, {
      ...saveOptions(flags),
      ...{ asked, onInterrupt: flags.onInterrupt },
    });
  const options = { ...asked, signal: session.stop };
  for (const { workflow } of workflows) {
    const { promptId } =
      runner._tag === 'servers'
        ? orThrow(await runner.pool.submit(workflow, options)())
        : orThrow(await runner.client.rest.submit(workflow, options)());
    reportSubmission(session, { promptId, nodeErrors: {}, detached: true });
  }
  return 'done';
};

/** Of many servers a pool finds out by itself which can run a workflow. */
const check = async (
  session: Session,
  flags: RunFlags,
  { _tag }: Runner,
  run: PreparedRun & { readonly name: string },
): Promise<void> => {
  const checks = flags.validate && _tag === 'service';
  if (!checks && flags.allowPaid === true) return;
  const definitions = checks ? await refuseErrors(session, run) : await knownDefinitions(session);
  if (flags.allowPaid !== true)
    await askForPaid(session, definitions, { workflow: run.workflow, targets: flags.target, name: run.name });
};

/** The session with one of the servers in place of the service: the first that is up, whose node classes tell what is asked for. */
const withFirst = async (session: Session, flags: CommonFlags, pool: Pool): Promise<Session> => {
  const first = await firstValueFrom(
    pool.servers.pipe(
      map((all) => {
        const up = all.find(({ health }) => health === 'up');
        return up ?? (all.some(({ health }) => health === 'unknown') ? undefined : all[0]);
      }),
      filter((server) => server !== undefined),
      takeUntil(fromAbortSignal(session.stop)),
    ),
    { defaultValue: undefined },
  );
  if (first === undefined) throw new Error('the command was stopped before a server answered');
  const { name, baseUrl } = first;
  return {
    ...session,
    connect: () => Promise.resolve(pool.client(name)),
    settings: () => Promise.resolve({ baseUrl, dialect: flags.dialect ?? 'local' }),
  };
};
