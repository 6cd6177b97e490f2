import { json } from '../http/respond.js';
import type { KnownTemplates } from '../saved-templates/known-templates.js';
import type { RouteCall } from '../http/route.js';

/** Lists the templates of the gateway and the caller's own, with the schemas of their inputs. */
export const listTemplates =
  ({ list }: Pick<KnownTemplates, 'list'>) =>
  async ({ caller }: RouteCall): Promise<Response> =>
    json({ templates: await list(caller) });
