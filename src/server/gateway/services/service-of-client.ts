import type { Client } from '../../../client/client-types.js';
import type { GatewayService } from './gateway-service.js';
import { isLeft } from '../../../core/protocol/either.js';
import { uuid } from '../../../core/platform/uuid.js';

/** What a gateway asks of the service of one client. */
export const serviceOfClient = (client: Client): GatewayService => ({
  upload: (source) => client.rest.uploadImage(source),
  uploadMask: (mask, original) => client.rest.uploadMask(mask, original, { type: 'input' }),
  viewUpload: (file, options) => client.rest.view(file, options),
  viewOutput: (file, options) => client.rest.view(file, options),
  objectInfo: () => client.rest.objectInfo({ userModels: true }),
  preflight: (workflow, options) => client.preflight(workflow, options),
  // Every service answers for a job that does not exist; one that refuses the gateway's key is of no use.
  isReachable: async (timeoutMs) => {
    const answer = await client.rest.jobStatus(uuid(), { timeoutMs })();
    return !isLeft(answer) || !unreachable.has(answer.left._tag);
  },
});

const unreachable: ReadonlySet<string> = new Set([
  'Network',
  'Timeout',
  'ServerError',
  'Closed',
  'Draining',
  'Unauthorized',
  'Forbidden',
]);
