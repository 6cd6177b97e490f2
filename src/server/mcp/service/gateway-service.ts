import { isJsonObject } from '../../../core/protocol/json/json.js';
import { definitions } from '../../../page/remote/definitions.js';
import { firstState } from './first-state.js';
import type { McpService, ServiceTemplate } from './mcp-service.js';
import { once } from './once.js';
import type { Remote } from '../../../page/remote/remote.js';

/** The tools' service behind a gateway, whose templates it runs. */
export const gatewayService = (remote: Remote): McpService => ({
  run: (workflow) => remote.run(workflow),
  status: (id) => firstState(remote.follow(id)),
  list: async (limit) => {
    const { jobs } = await remote.list({ limit: Math.min(limit, 100) });
    return jobs.map(({ id, state, createdAt, template }) => ({
      id,
      phase: state.phase,
      createdAt,
      template,
    }));
  },
  cancel: remote.cancel,
  definitions: once(() => definitions(remote)),
  // A gateway has no route for them.
  replacements: () => Promise.resolve(undefined),
  files: async ({ promptId }) =>
    Promise.all(
      (await remote.outputs(promptId)).map(async ({ blob, link, nodeId, filename, type, mediaType }) => ({
        ...{ nodeId, filename, type, mediaType, subfolder: '' },
        url: await link().catch(() => undefined),
        bytes: async () => new Uint8Array(await (await blob()).arrayBuffer()),
      })),
    ),
  templates: () =>
    remote.ask({ path: '/templates' }, (body) => {
      const listed = isJsonObject(body) ? body['templates'] : undefined;
      return Array.isArray(listed) ? listed.flatMap((one) => readTemplate(remote, one)) : undefined;
    }),
});

const readTemplate = (remote: Remote, value: unknown): readonly ServiceTemplate[] => {
  if (!isJsonObject(value) || typeof value['name'] !== 'string' || !isJsonObject(value['jsonSchema']))
    return [];
  const { name, jsonSchema } = value;
  return [
    {
      name,
      jsonSchema,
      run: (inputs) => remote.runTemplate(name, inputs),
    },
  ];
};
