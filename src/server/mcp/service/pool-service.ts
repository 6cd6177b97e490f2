import { cancelled, filesOf, listJobs } from './client-service.js';
import type { Client } from '../../../client/client-types.js';
import { firstState } from './first-state.js';
import { firstValueFrom } from 'rxjs';
import type { JobState } from '../../../core/state/job-state.js';
import type { McpService } from './mcp-service.js';
import type { McpPool, McpTemplate } from '../mcp-options.js';
import type { NodeDefinitions } from '../../../workflow/definitions.js';
import { once } from './once.js';
import { ownTemplates } from './own-templates.js';
import { toPromise } from '../../../core/interop/to-promise.js';

/** The tools' service behind a pool: a class or a model that any of its servers has is there. */
export const poolService = (pool: McpPool, templates: Readonly<Record<string, McpTemplate>>): McpService => {
  const run: McpService['run'] = (workflow) => pool.run(workflow);
  const own = ownTemplates(templates, run);
  return {
    run,
    status: async (id) => {
      await ofEach(pool, ({ rest }) => toPromise(rest.jobStatus(id)));
      return firstState(pool.follow(id));
    },
    list: async (limit) => {
      const lists = await ofEach(pool, async (client, server) =>
        (await listJobs(client, limit)).map((job) => ({ ...job, server })),
      );
      return lists.flat().slice(0, limit);
    },
    cancel: (id) => cancelled(toPromise(pool.cancel(id))),
    definitions: once(() => definitionsOf(pool)),
    replacements: once(() => replacementsOf(pool)),
    files: (state) => {
      const { server } = state as JobState & { readonly server?: string };
      return Promise.resolve(server === undefined ? [] : filesOf(pool.client(server), state));
    },
    templates: () => Promise.resolve(own),
  };
};

/** Of the first server that answers for each class. */
const definitionsOf = async (pool: McpPool): Promise<NodeDefinitions> => {
  const known = await ofEach(pool, ({ rest }) => toPromise(rest.objectInfo({ userModels: true })));
  return known.reduceRight<NodeDefinitions>((all, some) => ({ ...all, ...some }), {});
};

/** Of all servers that replace classes: a job goes to one of those. */
const replacementsOf = async (pool: McpPool): Promise<unknown> => {
  const known = await ofEach(pool, ({ rest }) => toPromise(rest.nodeReplacements()));
  return known.reduceRight<object>((all, some) => ({ ...all, ...some }), {});
};

/** What each server answers; one that does not is left out, and where none does the first reason counts. */
const ofEach = async <A>(
  pool: McpPool,
  ask: (client: Client, name: string) => Promise<A>,
): Promise<readonly A[]> => {
  const servers = await firstValueFrom(pool.servers, { defaultValue: [] });
  const asked = await Promise.allSettled(servers.map(({ name }) => ask(pool.client(name), name)));
  const answers = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const [reason] = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
  if (answers.length === 0 && reason !== undefined) throw reason;
  return answers;
};
