import type { Client } from '../../../client/client-types.js';
import type { Pool } from '../../../client/pool/pool-types.js';

/** The members of a pool that a gateway calls; `createPool` of `promptwire/pool` makes one. */
export type GatewayPool = Pick<
  Pool,
  | 'start'
  | 'cancel'
  | 'delete'
  | 'client'
  | 'serverOf'
  | 'upload'
  | 'uploadMask'
  | 'viewUpload'
  | 'servers'
  | 'pauseServer'
  | 'resumeServer'
  | 'drainServer'
>;

/** Whether it is a pool. */
export const isPool = (service: Client | GatewayPool): service is GatewayPool => 'viewUpload' in service;
