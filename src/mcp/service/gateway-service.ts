import { callError } from '../../core/errors/call-error.js';
import { isJsonObject } from '../../core/protocol/json/json.js';
import { firstState } from './first-state.js';
import type { McpService, ServiceTemplate } from './mcp-service.js';
import type { Remote } from '../../page/remote/remote.js';
import { serviceError } from '../../core/errors/service-error.js';

/** A gateway: its remote, and how else it is asked. */
export interface GatewayAccess {
  readonly remote: Remote;
  /** Asks `GET path` of the gateway, with what names the caller. */
  readonly get: (path: string) => Promise<Response>;
}

/** The tools' service behind a gateway, whose templates it runs; a gateway that gives no node classes has no tools for nodes. */
export const gatewayService = ({ remote, get }: GatewayAccess): McpService => ({
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
  definitions: () => Promise.reject(noDefinitions()),
  files: async ({ promptId }) =>
    Promise.all(
      (await remote.outputs(promptId)).map(async ({ blob, link, nodeId, filename, type, mediaType }) => ({
        ...{ nodeId, filename, type, mediaType, subfolder: '' },
        url: await link().catch(() => undefined),
        bytes: async () => new Uint8Array(await (await blob()).arrayBuffer()),
      })),
    ),
  templates: async () => {
    const answer = await get('templates').catch((cause: unknown) => {
      throw callError('Network', {
        code: 'unknown',
        sent: true,
        message: 'The gateway did not answer.',
        cause,
      });
    });
    const body: unknown = answer.ok ? await answer.json().catch(() => undefined) : undefined;
    const listed = isJsonObject(body) ? body['templates'] : undefined;
    if (!Array.isArray(listed))
      throw callError('Decode', {
        reason: 'no list of templates',
        message: `The gateway lists no templates: it answers ${answer.status}.`,
      });
    return listed.flatMap((one) => readTemplate(remote, one));
  },
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

const noDefinitions = (): Error =>
  serviceError('NotSupported', {
    message: 'A gateway gives no node classes.',
    hint: 'Run a template of the gateway, or give the workflow in API format; the gateway checks it.',
  });
