import type { AssetIndex } from '../ports/asset-index.js';
import type { CallerLimits } from '../options.js';
import type { Clock } from '../../../core/platform/platform.js';
import { createAssets } from '../v2/assets.js';
import { defaultMaxWaitMs } from '../calls/preference.js';
import type { InputOptions } from '../calls/input-options.js';
import { createSizeFinder } from '../v2/output-sizes.js';
import { definitionsOf } from '../definitions/known-definitions.js';
import type { GatewayJobs } from '../model/gateway-jobs.js';
import { fileTurns } from '../v2/file-turns.js';
import { gatewayFiles } from '../v2/gateway-files.js';
import type { GatewayService } from '../services/gateway-service.js';
import type { GatewayTemplates } from '../templates.js';
import { knownTemplates } from '../saved-templates/known-templates.js';
import { nativeRoutes, templateRoutes, v2Routes, workflowRoutes } from './routes.js';
import type { TemplateStore } from '../../joblog/template-store.js';
import type { Route } from '../http/route.js';

/** The jobs, services, assets and templates behind the routes. */
export interface ApiOptions {
  readonly jobs: GatewayJobs;
  /** By name; uploads go to the first one. */
  readonly services: Readonly<Record<string, GatewayService>>;
  readonly assets: AssetIndex;
  readonly templates: GatewayTemplates;
  /** Those that callers save. */
  readonly templateStore: TemplateStore;
  /** The limits of callers that have none of their own. */
  readonly limits?: Partial<CallerLimits> | undefined;
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** Bounds how long answers of the service are kept, and how long one turn of the event loop works. */
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** From where calls may name inputs by address; default nowhere. */
  readonly inputs?: InputOptions | undefined;
  /** How long a call may wait for its job, in milliseconds. */
  readonly maxWaitMs?: number | undefined;
  /** When a reader of a file that takes nothing is cut, in milliseconds. */
  readonly stallMs?: number | undefined;
  /** Hosts that webhooks may have although they are not public. */
  readonly webhookHosts?: readonly string[] | undefined;
}

/** Makes the operations of API v2 and those beyond it. */
export const apiRoutes = ({
  jobs,
  services,
  assets: index,
  templates: ofGateway,
  templateStore,
  limits,
  now,
  clock,
  inputs,
  maxWaitMs = defaultMaxWaitMs,
  webhookHosts = [],
  stallMs,
}: ApiOptions): readonly Route[] => {
  const [first = 'default'] = Object.keys(services);
  const service = services[first];
  const files = gatewayFiles(services, () => first);
  const assets = createAssets({ index, jobs, files, now, clock });
  const turns = fileTurns(clock, stallMs);
  const context = { jobs, assets, files, sizes: createSizeFinder(jobs), turns };
  const definitions = service && definitionsOf(service, clock);
  const templates = knownTemplates(ofGateway, templateStore);
  return [
    ...v2Routes(context),
    ...nativeRoutes({ ...context, inputs, clock, maxWaitMs, webhookHosts }, templates),
    ...templateRoutes({ templates, definitions, limits, now, clock }),
    ...workflowRoutes({ assets, service, definitions, clock }),
  ];
};
