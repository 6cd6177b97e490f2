import type { Client } from '../../../client/client-types.js';
import { isServiceError } from '../../../core/errors/tagged-error.js';
import { firstState } from './first-state.js';
import { lastValueFrom, take, toArray } from 'rxjs';
import type { McpService, ServiceFile, ServiceJob } from './mcp-service.js';
import type { McpTemplate } from '../mcp-options.js';
import { once } from './once.js';
import { outputFiles } from '../../../core/state/output-files.js';
import type { JobState } from '../../../core/state/job-state.js';
import { ownTemplates } from './own-templates.js';
import { toPromise } from '../../../core/interop/to-promise.js';

/** The tools' service behind one client. */
export const clientService = (
  client: Client,
  templates: Readonly<Record<string, McpTemplate>>,
): McpService => {
  const run: McpService['run'] = (workflow) => client.run(workflow);
  const own = ownTemplates(templates, run);
  return {
    run,
    status: async (id) => {
      await toPromise(client.rest.jobStatus(id));
      return firstState(client.follow(id));
    },
    list: (limit) => listJobs(client, limit),
    cancel: (id) => cancelled(toPromise(client.cancel(id))),
    definitions: once(() => toPromise(client.rest.objectInfo({ userModels: true }))),
    replacements: once(() => toPromise(client.rest.nodeReplacements())),
    files: (state) => Promise.resolve(filesOf(client, state)),
    templates: () => Promise.resolve(own),
  };
};

/** The files that a client reads. */
export const filesOf = ({ rest }: Pick<Client, 'rest'>, state: JobState): readonly ServiceFile[] =>
  outputFiles(state.outputs, state)
    .filter(({ type }) => type === 'output')
    .map((file) => ({
      ...file,
      url: file.asset?.url,
      bytes: async () => (await toPromise(rest.view(file))).bytes(),
    }));

/** The jobs of a service; of one that has no list those that run and wait. */
export const listJobs = async (client: Client, limit: number): Promise<readonly ServiceJob[]> => {
  try {
    const jobs = await lastValueFrom(client.jobs({ pageSize: limit }).pipe(take(limit), toArray()), {
      defaultValue: [],
    });
    return jobs.map(({ promptId: id, phase, queuedAt: createdAt }) => ({ id, phase, createdAt }));
  } catch (error) {
    if (!isServiceError(error) || error._tag !== 'NotSupported') throw error;
    const { running, pending } = await toPromise(client.rest.queue());
    return [
      ...running.map(({ promptId: id }) => ({ id, phase: 'in_progress' })),
      ...pending.map(({ promptId: id }) => ({ id, phase: 'pending' })),
    ].slice(0, limit);
  }
};

/** Whether a cancellation was taken; a job that is over is no failure. */
export const cancelled = async (asked: Promise<void>): Promise<boolean> => {
  try {
    await asked;
    return true;
  } catch (error) {
    if (isServiceError(error) && error._tag === 'CancelNotApplied') return false;
    throw error;
  }
};
