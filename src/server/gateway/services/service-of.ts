import type { Client } from '../../../client/client-types.js';
import type { Clock } from '../../../core/platform/platform.js';
import { type GatewayPool, isPool } from './gateway-pool.js';
import type { GatewayService } from './gateway-service.js';
import { serviceOfClient } from './service-of-client.js';
import { serviceOfPool } from './service-of-pool.js';

/** What a gateway asks of a client, or of a pool. */
export const serviceOf = (service: Client | GatewayPool, clock: Pick<Clock, 'after'>): GatewayService =>
  isPool(service) ? serviceOfPool(service, clock) : serviceOfClient(service);
