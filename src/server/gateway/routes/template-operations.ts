import { largeJson } from '../http/large-json.js';
import type { KnownTemplates } from '../saved-templates/known-templates.js';
import type { RouteCall } from '../http/route.js';

/** Lists the templates of the gateway and the caller's own, with the schemas of their inputs. */
export const listTemplates =
  ({ list }: Pick<KnownTemplates, 'list'>) =>
  async (call: RouteCall): Promise<Response> =>
    largeJson(call, { templates: await list(call.caller) });
